import { playMany, toldOf } from './many.js';
import { playStory } from './story.js';

// `npm run simulate -- --seeds 1000 --from 0`: plays stories. With `--trace` everything that happens in the first one is shown.

const option = (name: string, otherwise: number): number => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
};
const say = (text: string) => process.stdout.write(`${text}\n`);

const from = option('from', 0);
const seeds = option('seeds', 2_000);
if (process.argv.includes('--trace')) for (const line of (await playStory(from, true)).trace) say(line);
const { stories, calls, failures } = await playMany({ from, seeds });
for (const failure of failures.slice(0, option('shown', 1))) say(await toldOf(failure));
const wrong = failures.map(({ seed }) => seed).join(' ');
say(`${stories} stories, ${calls} calls, ${failures.length} wrong${wrong && `: ${wrong}`}`);
process.exitCode = failures.length > 0 ? 1 : 0;
