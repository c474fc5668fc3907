import type { Collection, Document, ReplicaSide } from '../../store/index.js';

const PAGE = 1_000;

interface OfUser extends Document {
  readonly userId: string;
}

/** All documents of a collection that has an index `user`; what is damaged is left out. */
export function allByUser<T extends OfUser>(replica: Pick<ReplicaSide, 'read'>, of: Collection<T>): T[] {
  const state = replica.read({ readMax: Number.MAX_SAFE_INTEGER - 1 });
  const found: T[] = [];
  let from: string[] = [''];
  for (;;) {
    const page = state.range(of, 'user', from, PAGE, { skipDamaged: true });
    found.push(...page);
    const last = page.at(-1);
    // A page is short where some of it is damaged, too.
    if (last === undefined) return found;
    from = [last.userId, `${last.id} `];
  }
}
