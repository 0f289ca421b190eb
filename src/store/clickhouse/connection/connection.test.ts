import { describe, expect, it } from 'vitest'
import { ScrollbackError } from '../../../errors.ts'
import { openClickHouseStore } from '../open.ts'
import { serverFault } from './connection.ts'

const ADDRESS = { url: 'http://127.0.0.1:1', user: 'ann', password: 'pass-of-ann', database: 'team' }

const printed = ({ message, wayOut, stack, cause }: ScrollbackError): string =>
  JSON.stringify([message, wayOut, stack, String(cause), cause])

describe('an error of a server', () => {
  it.each([
    [
      'no server at the address',
      { name: 'ECONNREFUSED' },
      'store-unreachable',
      '127.0.0.1:1 does not answer',
    ],
    ['the certificate is not trusted', { name: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, 'store-unreachable', ''],
    ['the certificate has no issuer', { name: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY' }, 'store-unreachable', ''],
    ['the password is wrong', { name: 'AUTHENTICATION_FAILED', code: 516 }, 'store-unreadable', 'password'],
    ['a right is missing', { name: 'ACCESS_DENIED', code: 497 }, 'store-unreadable', 'does not allow'],
    ['there is no such database', { name: 'UNKNOWN_DATABASE', code: 81 }, 'store-unreadable', 'team'],
    ['there are no tables', { name: 'UNKNOWN_TABLE', code: 60 }, 'store-unreadable', 'not a store'],
    ['a setting is not known', { name: 'UNKNOWN_SETTING', code: 115 }, 'store-unreadable', 'does not know'],
    [
      'a row is of somebody else',
      { name: 'VIOLATED_CONSTRAINT', code: 469 },
      'store-unreadable',
      'only what its own machine has',
    ],
    ['the disk is full', { name: 'NOT_ENOUGH_SPACE', code: 243 }, 'store-full', 'no room'],
    ['a limit is exceeded', { name: 'MEMORY_LIMIT_EXCEEDED', code: 241 }, 'store-unreadable', 'limit'],
    ['anything else happens', { name: 'LOGICAL_ERROR', code: 49 }, 'store-unreadable', 'LOGICAL_ERROR'],
  ] as const)('says what to do if %s', (_, fault, code, words) => {
    const error = serverFault(fault, ADDRESS)
    expect(error.code).toBe(code)
    expect(error.message).toContain(words)
    expect(error.wayOut).toBeTruthy()
    expect(printed(error)).not.toMatch(/pass-of-ann|ann@/)
  })

  it('contains neither user nor password nor statement, also over a real connection', () => {
    let error: unknown
    try {
      openClickHouseStore({ ...ADDRESS, device: 'oak' })
    } catch (caught) {
      error = caught
    }
    expect(error).toBeInstanceOf(ScrollbackError)
    expect((error as ScrollbackError).code).toBe('store-unreachable')
    expect(printed(error as ScrollbackError)).not.toMatch(/pass-of-ann|SELECT|migration/)
  })
})
