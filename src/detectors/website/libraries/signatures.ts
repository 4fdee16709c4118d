import { bannerSignatures } from './signatures/banners.ts';
import { chartSignatures } from './signatures/charts.ts';
import { editorSignatures } from './signatures/editors.ts';
import { frameworkSignatures } from './signatures/frameworks.ts';
import { jquerySignatures } from './signatures/jquery.ts';
import type { Signature } from './signatures/signature.ts';
import { toolSignatures } from './signatures/tools.ts';

export const signatures: readonly Signature[] = [
  ...bannerSignatures,
  ...frameworkSignatures,
  ...jquerySignatures,
  ...editorSignatures,
  ...chartSignatures,
  ...toolSignatures,
];
