import assert from 'node:assert/strict';
import { parseClaimMapping } from '../../../src/server/provider/claim-mapping.js';
import { externalSignIn } from '../../../src/server/provider/claims.js';

const said = (claims: object, mapping = '', nameClaim = 'preferred_username') =>
  externalSignIn(
    { issuer: 'https://login.example', subject: '1' },
    { ...claims },
    {
      nameClaim,
      mapping: parseClaimMapping(mapping) ?? assert.fail(`expected a mapping: ${mapping}`),
    },
  );

describe('a mapping of claims', () => {
  it('is read rule by rule, with semicolons or line ends between them', () => {
    assert.deepEqual(
      parseClaimMapping(' groups=staff->group office/clerks;\n\nroles = a b -> role administrator\r\n'),
      [
        { claim: 'groups', value: 'staff', kind: 'group', id: 'office/clerks' },
        { claim: 'roles', value: 'a b', kind: 'role', id: 'administrator' },
      ],
    );
    assert.deepEqual(parseClaimMapping('member=cn=it -> x,ou=groups -> group it'), [
      { claim: 'member', value: 'cn=it -> x,ou=groups', kind: 'group', id: 'it' },
    ]);
  });

  it('is none where a rule is none', () => {
    const wrong = [
      'groups',
      'groups=staff',
      'groups=staff -> staff',
      '=a -> role b',
      'a= -> role b',
      'a=b -> role',
      'a=b -> user c',
    ];
    for (const rule of wrong) assert.equal(parseClaimMapping(`a=b -> role c; ${rule}`), undefined, rule);
  });

  it('gives what the claims have, by value or list, also within others', () => {
    const mapping =
      'groups=a -> group x; groups=b -> role y; realm.roles=c -> role z; https://x.example/r=d -> group w';
    const idsOf = (claims: object) => [said(claims, mapping).groups, said(claims, mapping).roles];
    assert.deepEqual(idsOf({ groups: ['a', 'b'], realm: { roles: 'c' }, 'https://x.example/r': ['d'] }), [
      ['x', 'w'],
      ['y', 'z'],
    ]);
    assert.deepEqual(idsOf({ groups: 'a b', realm: ['roles', 'c'] }), [[], []]);
    assert.deepEqual(idsOf({ groups: { a: 'a' }, realm: null }), [[], []]);
    assert.deepEqual(said({ admin: true }, 'admin=true -> role administrator').roles, ['administrator']);
    assert.deepEqual(said({}, '__proto__.constructor.name=Object -> role administrator').roles, []);
  });
});

describe('claims', () => {
  it('say whom a user is called, and by which name, address and names it is shown', () => {
    const { username, displayName, sn, givenName, mail } = said({
      ...{ preferred_username: 'ann', name: 'Ann X', family_name: 'X', given_name: 'Ann', email: 'a@x.example' },
    });
    assert.deepEqual([username, displayName, sn, givenName, mail], ['ann', 'Ann X', 'X', 'Ann', 'a@x.example']);
    assert.equal(said({ upn: 'ann@x', preferred_username: 'ann' }, '', 'upn').username, 'ann@x');
  });

  it('that are no texts say nothing; those that are too long are cut', () => {
    const { username, displayName, mail } = said({ preferred_username: ['ann'], name: '', email: 7 });
    assert.deepEqual([username, displayName, mail], [null, null, null]);
    assert.equal(said({ name: 'x'.repeat(5_000) }).displayName?.length, 1_000);
  });

  it('give no address that its holder has only said to have', () => {
    assert.equal(said({ email: 'a@x.example', email_verified: false }).mail, null);
  });
});
