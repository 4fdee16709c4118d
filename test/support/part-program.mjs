// A process of the service that only reports that it is ready, and ends when it should: unless PART_MODE says otherwise.
const { PART_MODE: mode } = process.env;
if (mode !== 'never ready') process.send({ kind: 'ready', url: 'http://127.0.0.1/' });
process.on('message', ({ kind }) => {
  if (kind === 'stop' || (kind === 'drain' && mode !== 'never drained')) process.exit();
});
