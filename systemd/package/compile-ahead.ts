/**
 * Stands behind the bundle of the snapshot, as text: compiles functions without calling them, so that no start has to. Who asks where one
 * could stop in a function makes V8 compile it; there is no other way that runs nothing.
 * @param script the name of its file
 * @param gaps where each function ends, each place told from the one before
 */
export function compileAhead(script: string, gaps: readonly number[]): void {
  const session = new (process.getBuiltinModule('node:inspector').Session)();
  let scriptId = '';
  session.connect();
  session.on('Debugger.scriptParsed', ({ params }) => {
    if (params.url.endsWith(`/${script}`)) ({ scriptId } = params);
  });
  session.post('Debugger.enable');
  session.post('Debugger.getScriptSource', { scriptId }, (error, { scriptSource } = { scriptSource: '' }) => {
    if (error) throw error;
    let [line, from, end] = [0, 0, 0];
    for (const gap of gaps) {
      end += gap;
      for (let next = 0; ; from = next, line += 1) {
        next = scriptSource.indexOf('\n', from) + 1;
        if (next === 0 || next >= end) break;
      }
      // Its last character is in it and in what is around it, and in none that is inside.
      const start = { scriptId, lineNumber: line, columnNumber: end - 1 - from };
      session.post('Debugger.getPossibleBreakpoints', {
        start,
        end: { ...start, columnNumber: start.columnNumber + 1 },
      });
    }
  });
  session.post('Debugger.disable');
  session.disconnect();
}
