import { temporaryFolder } from '../../support/temporary.js';
import { Subject } from '../tree-model/subject.js';

/** A repository in memory that is open while the tests of the suite around run: from before its hooks that are declared behind this, till its end. */
export function openSubject(): Subject {
  const folder = temporaryFolder();
  const subject = new Subject({ scratch: folder.path, folder: null });
  before(() => subject.open());
  after(async () => {
    await subject.close();
    folder.remove();
  });
  return subject;
}
