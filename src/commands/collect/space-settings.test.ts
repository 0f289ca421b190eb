import { expect, it } from 'vitest'
import { isWantedIn } from './space-settings.ts'

const wanted = (projects: string[], name: string | undefined, folder?: string): boolean =>
  isWantedIn({ projects })({ name, folder })

it.each([
  [['shop*'], 'shop-front', undefined, true],
  [['shop*'], 'Shop', undefined, true],
  [['shop*'], 'workshop', undefined, false],
  [['shop'], 'shop-front', undefined, false],
  [['api', 'web'], 'web', undefined, true],
  [['/home/ann/*'], 'web', '/home/ann/web', true],
  [['/home/ann/*'], 'web', '/srv/web', false],
  [['a.c'], 'abc', undefined, false],
  [['a+(b)'], 'a+(b)', undefined, true],
  [['shop*'], undefined, undefined, false],
  [['*'], undefined, undefined, true],
  [['x*'], 'x\ny', undefined, true],
  [['s*p'], 'sp', undefined, true],
  [['ab*ba'], 'aba', undefined, false],
  [['*/web'], 'eu/web', undefined, true],
  [['*private*'], 'shop', '/srv/private/shop', false],
  [['/srv/Shop'], 'shop', '/srv/shop', false],
  [['/srv/shop'], 'web', '/srv/shop/web', false],
  [['/srv/shop/*'], 'web', '/srv/shop/apps/web', true],
  [['**'], undefined, undefined, false],
  // A name in lists has more parts while another project has the same last one.
  [['web*'], 'web/diary', '/home/ann/web/diary', false],
  [['web*'], 'diary', '/home/ann/web/diary', false],
  [['shop*'], 'web/shop', '/srv/web/shop', true],
  [['shop*'], 'shop', '/srv/web/shop', true],
  [['web/diary'], 'diary', '/home/ann/web/diary', true],
  [['Web/*'], 'diary', '/home/ann/web/diary', true],
  [['web\\diary'], 'diary', 'C:\\ann\\web\\diary', true],
  [['ann/web'], 'web', '/home/joann/web', false],
  [['-home-ann-moss'], '-home-ann-moss', '-home-ann-moss', true],
  // An expression would try each way to part the text.
  [[`${'a*'.repeat(40)}b`], 'a'.repeat(2000), undefined, false],
])(
  'a space with the projects %j gets the project %j in the folder %j: %j',
  (patterns, name, folder, expected) => {
    expect(wanted(patterns, name, folder)).toBe(expected)
  },
)
