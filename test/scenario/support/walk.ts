import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A block of commands in a page, and the output that the page shows below it. */
export interface Step {
  readonly commands: string;
  /** Undefined where the page shows none. */
  readonly output: string | undefined;
  /** Where in the page the output is, or would be: from and to, as offsets. */
  readonly place: readonly [number, number];
}

const BLOCK = /^```sh walk\n([\s\S]*?)^```\n(\n```text\n([\s\S]*?)^```\n)?/gm;

/** The blocks that are marked `sh walk`, each with the `text` block that follows at once. */
export const stepsOf = (page: string): Step[] =>
  [...page.matchAll(BLOCK)].map((match) => {
    const { index = 0 } = match;
    const [whole, commands = '', shown = '', output] = match;
    const end = index + whole.length;
    return { commands, output, place: [end - shown.length, end] };
  });

const MARK = '--- end of step ---';

/** Runs all steps in one shell, in a folder; gives the output of each. @throws when the shell does, with what it said */
export async function walk(steps: readonly Step[], folder: string, baseUrl: string): Promise<string[]> {
  const script = steps.map(
    ({ commands }) => `${commands.replaceAll('http://127.0.0.1:8080', baseUrl)}\necho '${MARK}'\n`,
  );
  const { stdout } = await promisify(execFile)('bash', ['-c', script.join('')], { cwd: folder, timeout: 60_000 });
  return stdout.split(`${MARK}\n`).slice(0, -1);
}

/** The output as a page shows it: ids and positions shortened. */
export const shortened = (output: string): string =>
  output
    .replaceAll(/\b(01[0-9a-f]{6})-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '$1…')
    .replaceAll(/("position":"|^id: )([\w-]{8})[\w-]+/gm, '$1$2…');

/** What two runs have in common: ids, positions and times are replaced by what they are. */
export const normalised = (output: string): string =>
  shortened(output)
    .replaceAll(/\b01[0-9a-f]{6}…/g, '<id>')
    .replaceAll(/("position":"|^id: )[\w-]{8}…/gm, '$1<position>')
    .replaceAll(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z/g, '<time>');

/** The page with the outputs of a run. */
export function withOutputs(page: string, steps: readonly Step[], outputs: readonly string[]): string {
  let text = page;
  for (const [index, { place }] of [...steps.entries()].reverse()) {
    const output = shortened(outputs[index] ?? '');
    const block = output === '' ? '' : `\n\`\`\`text\n${output}\`\`\`\n`;
    text = text.slice(0, place[0]) + block + text.slice(place[1]);
  }
  return text;
}
