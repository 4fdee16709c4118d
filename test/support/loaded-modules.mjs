import { register } from 'node:module';

/** For `--import`: writes the name of each module that is loaded to standard error. */
const hooks = `import { writeSync } from 'node:fs';
export function load(url, context, next) {
  writeSync(2, 'loaded ' + url + '\\n');
  return next(url, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
