import fc from 'fast-check';
import type { Program } from '../../src/engine/model/program.js';
import {
  adHoc,
  catching,
  type ElementSpec,
  end,
  gateway,
  program,
  service,
  start,
  subProcess,
  task,
  timer,
  userTask,
  when,
} from './program.js';

/** A process built of nested blocks, each with one way in and one way out. */
export type Block =
  | { readonly kind: 'service' | 'async' | 'user' | 'timer' }
  | { readonly kind: 'sequence' | 'parallel'; readonly parts: readonly Block[] }
  /** `taken[i]`: whether the condition of branch i holds. The last branch is the default. */
  | { readonly kind: 'inclusive' | 'exclusive'; readonly parts: readonly Block[]; readonly taken: readonly boolean[] }
  /** So many of the branches let it go on; within loops all of them. */
  | { readonly kind: 'complex'; readonly parts: readonly Block[]; readonly needed: number }
  /** The branches are chosen as it begins, and done when all are, or once so many are. */
  | { readonly kind: 'adHoc'; readonly parts: readonly Block[]; readonly sequential: boolean }
  | { readonly kind: 'loop'; readonly body: Block; readonly rounds: number }
  | { readonly kind: 'scope'; readonly body: Block };

export const anyBlock: fc.Arbitrary<Block> = fc.letrec<{ block: Block; leaf: Block }>((tie) => ({
  leaf: fc.record({ kind: fc.constantFrom('service', 'async', 'user', 'timer') }),
  block: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('leaf'),
    fc.record({ kind: fc.constantFrom('sequence', 'parallel'), parts: some(tie('block')) }),
    fc.record({
      kind: fc.constantFrom('inclusive', 'exclusive'),
      parts: some(tie('block')),
      taken: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant('complex'), parts: some(tie('block')), needed: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ kind: fc.constant('adHoc'), parts: some(tie('block')), sequential: fc.boolean() }),
    fc.record({ kind: fc.constant('loop'), body: tie('block'), rounds: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ kind: fc.constant('scope'), body: tie('block') }),
  ),
})).block;

function some(block: fc.Arbitrary<Block>): fc.Arbitrary<Block[]> {
  return fc.array(block, { minLength: 1, maxLength: 3 });
}

/** A process as {@link program} takes it. */
export interface Drawn {
  readonly elements: Readonly<Record<string, ElementSpec>>;
  readonly flows: readonly string[];
}

/** The block as a process. Each service adds its id to the variable `log`. */
export function programOf(block: Block): Program {
  const { elements, flows } = drawn(block);
  return program(elements, flows);
}

/** The block, drawn. */
export function drawn(block: Block): Drawn {
  const elements: Record<string, ElementSpec> = { s: start() };
  const flows: string[] = [];
  const writer = new Writer(elements, flows);
  const { entry, exit } = writer.write(block, undefined);
  elements.e = end();
  flows.push(`s -> ${entry}`, `${exit} -> e`);
  return { elements, flows };
}

/** How often each element of the process is to happen. */
export function expectedCounts(block: Block): Record<string, number> {
  const counts: Record<string, number> = { s: 1, e: 1 };
  new Counter(counts).count(block, 1);
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

/** The branches that are taken: of an exclusive block the first, else all, whose condition holds; where none does, the default. */
function takenOf({ kind, parts, taken }: Extract<Block, { taken: unknown }>): readonly number[] {
  const holding = parts.flatMap((_, index) => (index < parts.length - 1 && taken[index] === true ? [index] : []));
  if (holding.length === 0) return [parts.length - 1];
  return kind === 'exclusive' ? holding.slice(0, 1) : holding;
}

/** Names blocks in the order in which they are met. */
class Names {
  #made = 0;

  next(kind: string): string {
    return `${kind}${this.#made++}`;
  }
}

interface Ends {
  readonly entry: string;
  readonly exit: string;
}

class Writer {
  readonly #names = new Names();
  readonly #elements: Record<string, ElementSpec>;
  readonly #flows: string[];
  /** Around what is written: loops of the same scope. */
  #loops = 0;

  constructor(elements: Record<string, ElementSpec>, flows: string[]) {
    this.#elements = elements;
    this.#flows = flows;
  }

  write(block: Block, parent: string | undefined): Ends {
    const id = this.#names.next(block.kind);
    switch (block.kind) {
      case 'sequence':
        return this.#sequence(block.parts, parent);
      case 'parallel':
      case 'inclusive':
      case 'exclusive':
        return this.#branches(id, block, parent);
      case 'complex':
        return this.#complex(id, block, parent);
      case 'adHoc':
        return this.#adHoc(id, block, parent);
      case 'loop':
        return this.#loop(id, block.body, block.rounds, parent);
      case 'scope':
        return this.#scope(id, block.body, parent);
      default:
        this.#add(id, leafOf(block.kind, id), parent);
        return { entry: id, exit: id };
    }
  }

  #sequence(parts: readonly Block[], parent: string | undefined): Ends {
    const ends = parts.map((part) => this.write(part, parent));
    ends.slice(1).forEach(({ entry }, index) => void this.#flows.push(`${ends[index]?.exit} -> ${entry}`));
    return { entry: ends[0]?.entry ?? '', exit: ends.at(-1)?.exit ?? '' };
  }

  #branches(id: string, block: Extract<Block, { parts: unknown }>, parent: string | undefined): Ends {
    const kind = block.kind as 'parallel' | 'inclusive' | 'exclusive';
    this.#add(`${id}_fork`, gateway(kind), parent);
    const last = block.parts.length - 1;
    const ends = block.parts.map((part, index) => {
      const inner = this.write(part, parent);
      const condition = 'taken' in block ? (index === last ? ' : default' : ` : \${${block.taken[index]}}`) : '';
      this.#flows.push(`${id}_fork -> ${inner.entry}${condition}`);
      return inner;
    });
    this.#add(`${id}_join`, gateway(kind), parent);
    for (const { exit } of ends) this.#flows.push(`${exit} -> ${id}_join`);
    return { entry: `${id}_fork`, exit: `${id}_join` };
  }

  #loop(id: string, body: Block, rounds: number, parent: string | undefined): Ends {
    this.#add(`${id}_zero`, service('${0}', `${id}_n`), parent);
    this.#add(`${id}_merge`, gateway('exclusive'), parent);
    this.#loops++;
    const { entry, exit } = this.write(body, parent);
    this.#loops--;
    this.#add(`${id}_count`, service(`\${${id}_n + 1}`, `${id}_n`), parent);
    this.#add(`${id}_again`, gateway('exclusive'), parent);
    this.#add(`${id}_out`, { type: 'task' }, parent);
    this.#flows.push(`${id}_zero -> ${id}_merge`, `${id}_merge -> ${entry}`, `${exit} -> ${id}_count`);
    this.#flows.push(`${id}_count -> ${id}_again`, `${id}_again -> ${id}_merge : \${${id}_n < ${rounds}}`);
    this.#flows.push(`${id}_again -> ${id}_out : default`);
    return { entry: `${id}_zero`, exit: `${id}_out` };
  }

  #scope(id: string, body: Block, parent: string | undefined): Ends {
    this.#add(id, subProcess(), parent);
    this.#add(`${id}_s`, start(), id);
    const { entry, exit } = this.#within(() => this.write(body, id));
    this.#add(`${id}_e`, end(), id);
    this.#flows.push(`${id}_s -> ${entry}`, `${exit} -> ${id}_e`);
    return { entry: id, exit: id };
  }

  /** Of branches that begin together some let the gateway go on; the others are taken as they come. */
  #complex(id: string, block: Extract<Block, { kind: 'complex' }>, parent: string | undefined): Ends {
    const { length } = block.parts;
    const needed = this.#loops > 0 ? length : Math.min(block.needed, length);
    this.#add(`${id}_fork`, gateway('parallel'), parent);
    const ends = block.parts.map((part) => this.write(part, parent));
    const activationCondition = when(`\${activationCount >= ${needed}}`);
    this.#add(`${id}_join`, { ...gateway('complex'), activationCondition }, parent);
    for (const { entry, exit } of ends) this.#flows.push(`${id}_fork -> ${entry}`, `${exit} -> ${id}_join`);
    return { entry: `${id}_fork`, exit: `${id}_join` };
  }

  #adHoc(id: string, { parts, sequential }: Extract<Block, { kind: 'adHoc' }>, parent: string | undefined): Ends {
    const first = parts.map((_, index) => `"${id}_c${index}"`).join(', ');
    this.#add(id, adHoc({ sequential, first: { kind: 'script', language: 'feel', text: `[${first}]` } }), parent);
    parts.forEach((part, index) => {
      this.#add(`${id}_c${index}`, task(), id);
      this.#flows.push(`${id}_c${index} -> ${this.#within(() => this.write(part, id)).entry}`);
    });
    return { entry: id, exit: id };
  }

  /** Writes in a scope of its own. */
  #within(write: () => Ends): Ends {
    const loops = this.#loops;
    this.#loops = 0;
    const ends = write();
    this.#loops = loops;
    return ends;
  }

  #add(id: string, spec: ElementSpec, parent: string | undefined): void {
    this.#elements[id] = parent === undefined ? spec : { ...spec, in: parent };
  }
}

function leafOf(kind: 'service' | 'async' | 'user' | 'timer', id: string): ElementSpec {
  const work = service(`\${execution.setVariable("log", log.concat("${id} "))}`);
  if (kind === 'service') return work;
  if (kind === 'async') return { ...work, asyncBefore: true, asyncAfter: true };
  return kind === 'user' ? userTask() : catching(timer('duration', 'PT1M'));
}

class Counter {
  readonly #names = new Names();
  readonly #counts: Record<string, number>;

  constructor(counts: Record<string, number>) {
    this.#counts = counts;
  }

  count(block: Block, times: number): void {
    const id = this.#names.next(block.kind);
    const add = (...suffixes: string[]) => {
      for (const suffix of suffixes) this.#counts[id + suffix] = times;
    };
    switch (block.kind) {
      case 'sequence':
        for (const part of block.parts) this.count(part, times);
        break;
      case 'parallel':
        add('_fork');
        this.#counts[`${id}_join`] = times * block.parts.length; // Each token is in the gateway for itself.
        for (const part of block.parts) this.count(part, times);
        break;
      case 'inclusive':
      case 'exclusive': {
        add('_fork');
        const taken = takenOf(block);
        this.#counts[`${id}_join`] = times * taken.length;
        block.parts.forEach((part, index) => void this.count(part, taken.includes(index) ? times : 0));
        break;
      }
      case 'complex':
        add('_fork');
        this.#counts[`${id}_join`] = times * block.parts.length;
        for (const part of block.parts) this.count(part, times);
        break;
      case 'adHoc':
        add('', ...block.parts.map((_, index) => `_c${index}`));
        for (const part of block.parts) this.count(part, times);
        break;
      case 'loop':
        add('_zero', '_out');
        for (const suffix of ['_merge', '_count', '_again']) this.#counts[id + suffix] = times * block.rounds;
        this.count(block.body, times * block.rounds);
        break;
      case 'scope':
        add('', '_s', '_e');
        this.count(block.body, times);
        break;
      default:
        add('');
    }
  }
}
