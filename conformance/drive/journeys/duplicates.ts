import { accepted, answer, type Fields } from '../../evidence/read.js';
import type { Exchange } from '../../vocabulary.js';
import { Editor } from './editor.js';

/** Duplicates the profile while the suite's cookies and credentials are in it, tunes the copy, and duplicates that. */
export async function duplicates(editor: Editor): Promise<void> {
  const { driver, id } = editor;
  const duplicate = (step: string, source: string, body?: Fields): Promise<Exchange> =>
    driver.send({
      step,
      operation: 'duplicateProfile',
      id: source,
      ...(body && { body }),
      asks: ['duplicate-success-status', 'duplicate-inbox-prefix'],
    });
  const bare = await duplicate('duplicate', id);
  // A second one: names are unique.
  const second = await duplicate('duplicate-empty', id, {});
  const first = accepted(bare) ? bare : second;
  const { otherOrganization } = driver.facts;
  if (otherOrganization !== undefined)
    await duplicate('duplicate-elsewhere', id, { organizationId: otherOrganization });
  await driver.probe(
    'duplicate-into-unknown-organization',
    'an organization that does not exist',
    ['profile/duplicate', 'profile/duplicate-empty'],
    { step: 'duplicate-nowhere', operation: 'duplicateProfile', id, body: { organizationId: driver.unknownId() } },
  );
  const copyId = accepted(first) ? answer(first)?.id : undefined;
  if (typeof copyId === 'string') {
    await tuneCopy(new Editor(driver, copyId));
    await duplicate('duplicate-copy', copyId, {});
  }
  await editor.update('source-unchanged', editor.noop);
}

/** Settings that could not be taken back on the profile itself. The copy stays behind in any case. */
async function tuneCopy(copy: Editor): Promise<void> {
  await copy.update('copy-updated', { description: 'A copy made by the conformance suite. It may be deleted.' });
  await copy.update('copy-prefix', { inboxEmailPrefix: `conformance-${copy.driver.unique()}` });
  await copy.update('copy-prefix-kept', { description: 'A copy made by the conformance suite. It may be removed.' });
  await copy.update('copy-proxy', { proxyType: 'basic' });
  await copy.update(
    'copy-custom-proxy',
    {
      customProxy: { server: 'proxy.conformance.example:3128', username: 'conformance', password: 'never to be shown' },
    },
    { asks: ['custom-proxy-request'] },
  );
}
