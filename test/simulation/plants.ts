import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A fault that is put into a copy of the compiled code, to see whether the stories find it. */
export interface Plant {
  readonly name: string;
  /** The compiled file, below `src`. */
  readonly file: string;
  /** What is there, and what takes its place. */
  readonly edits: readonly (readonly [there: string, instead: string])[];
}

export const plants: readonly Plant[] = [
  {
    name: 'commands that come during a recovery hold back for ever those that were there before',
    file: 'store/decide/decider.js',
    edits: [
      [
        `this.#waiting.push(...this.#unanswered.inTime([...again, ...this.#waiting.take()], this.#options.patience.answerMs));
        this.#waiting.goOn();`,
        'for (const accepted of again) this.#admit(accepted);',
      ],
    ],
  },
  {
    name: 'a writer that ends while nothing is asked of it leaves everybody waiting',
    file: 'shared/thread.js',
    edits: [
      ['if (this.#lost !== null)\n            return Promise.reject(this.#lost);', ''],
      ['gone?.(this.#lost);', ''],
    ],
  },
  {
    name: 'what landed is forgotten when its callers had been refused',
    file: 'store/feed/landed-commits.js',
    edits: [['while (this.#told < this.#replica.revision())', 'for (this.#told = this.#replica.revision(); false; )']],
  },
  {
    name: 'a reply is dropped now and then',
    file: 'shared/thread.js',
    edits: [
      [
        'const waiting = this.#waiting.get(id);',
        'if (id % 40 === 39) return undefined;\n        const waiting = this.#waiting.get(id);',
      ],
    ],
  },
];

/** Where compiled sources and tests are. */
const BUILD = 'build';
/** What the stories are made of. */
const PARTS = ['src/shared', 'src/store', 'test/simulation', 'test/support'];

/** Plants the fault in a copy of its own; gives the folder of the simulation there, and how to take the copy away. */
export function planted({ name, file, edits }: Plant): { readonly stage: URL; remove(): void } {
  const folder = join(BUILD, 'planted', name.replaceAll(' ', '-'));
  rmSync(folder, { recursive: true, force: true });
  for (const part of PARTS) cpSync(join(BUILD, part), join(folder, part), { recursive: true });
  const path = join(folder, 'src', file);
  let text = readFileSync(path, 'utf8');
  for (const [there, instead] of edits) {
    if (!text.includes(there)) throw new Error(`expected ${file} to have: ${there}`);
    text = text.replace(there, instead);
  }
  writeFileSync(path, text);
  return {
    stage: new URL('./', pathToFileURL(join(folder, 'test/simulation/main.js'))),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
