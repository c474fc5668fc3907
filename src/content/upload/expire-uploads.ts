import { operation, remove } from '../../store/index.js';
import { uploads } from './upload.js';

/** Uploads that one decision removes. */
const UPLOADS_MAX = 100;

/** Removes uploads whose time is over. Answers whether there may be more. */
export const expireUploads = operation<object, boolean>('expireUploads', (state) => {
  const oldest = state.range(uploads, 'expires', [0], UPLOADS_MAX, { skipDamaged: true });
  const over = oldest.filter(({ expires }) => expires <= state.now);
  return { write: over.map(({ id }) => remove(uploads, id)), answer: over.length === UPLOADS_MAX };
});
