import { describe, expect, it } from 'vitest'
import { createRedactor } from '../redact/redactor.ts'
import { leaksIn, replacer } from './leaks.ts'

const { find } = createRedactor({ level: 'standard', identities: true, home: '/home/mei', users: ['root'] })
const leaks = (text: string): string[] =>
  leaksIn(text, { find, device: 'oak-7', people: ['Ines', 'answer'] }).map(
    ({ kind, value }) => `${kind} ${value ?? '(not shown)'}`,
  )

describe('the leak check', () => {
  it.each([
    ['cd /data/home/mei/x', 'home /data/home/mei'],
    ['cd /export/home/mei/x', 'home /export/home/mei'],
    ['open "/Volumes/Mei Disk/x"', 'home /Volumes/Mei Disk'],
    ['cat ~mei/notes', 'home ~mei'],
    ['dir \\\\files\\mei\\x', 'host \\\\files\\mei'],
    ['C:\\Users\\Mei Ling\\x', 'home C:\\Users\\Mei Ling'],
    ['mei (at) wren.example', 'email mei (at) wren.example'],
    ['mei [at] wren dot org', 'email mei [at] wren dot org'],
    ['ssh build-prod-03', 'host build-prod-03'],
    ['db.tail1234.ts.net', 'host db.tail1234.ts.net'],
    ['git clone git@git.wren.test:team/x', 'host git.wren.test'],
    ['aws s3 cp s3://wren-backups/x', 'host s3://wren-backups'],
    ['ping fe80::1ff:fe23:4567:890a', 'host fe80::1ff:fe23:4567:890a'],
    ['ping 10.1.2.3', 'host 10.1.2.3'],
    ['call +49 170 1234567', 'phone +49 170 1234567'],
    ['0171 2345678', 'phone 0171 2345678'],
    ['手机：13800138000', 'phone 13800138000'],
    ['DE89 3704 0044 0532 0130 00', 'account DE89 3704 0044 0532 0130 00'],
    ['4111 1111 1111 1111', 'card 4111 1111 1111 1111'],
    ['Your code is 482913', 'one-time-code (not shown)'],
    ['said Ines', 'person Ines'],
    ['on oak-7', 'host oak-7'],
  ])('lists %s', (text, leak) => {
    expect(leaks(text)).toEqual([leak])
  })

  it.each([
    'the answer is yes',
    'env.local and settings.local.json',
    'as root',
    'https://github.com/a/b',
    'git@github.com:a/b',
    '2026-09-22 08:20:11',
    '1,219 orders, 48,719.35 euro',
    'v1.0.0 and 640ab4c7',
    '127.0.0.1 and ::1',
    'DE00 0000 0000 0000 0000 00',
    'a ~/notes folder',
  ])('finds nothing in: %s', (text) => {
    expect(leaks(text)).toEqual([])
  })

  it('replaces the longest first, so that the rest of a quote can still be compared', () => {
    expect(replacer(['/home/mei', '/home/mei/wren'])('in /home/mei/wren and /home/mei')).toBe(
      'in […] and […]',
    )
  })
})
