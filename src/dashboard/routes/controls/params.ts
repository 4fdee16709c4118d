import { Type } from 'typebox';
import { controlByCitation } from '../../../domain/security-rule.ts';
import { found } from '../../../http/answers.ts';

/** `:control` is a citation, such as `164.312(b)`. */
export const ControlParams = Type.Object({ organization: Type.String(), control: Type.String() });

/** The citation of the path. Throws `not_found` for citations that the rule does not contain. */
export function citationOf({ control }: { control: string }): string {
  return found(controlByCitation(control)).citation;
}
