import { ScrollbackError } from '../../../errors.ts'
import type { Fault, ServerAddress } from './protocol.ts'

/** Errors of the engine by number, where there is something to do about them. */
const AUTHENTICATION = new Set([192, 193, 194, 516])
const NOT_ALLOWED = new Set([164, 291, 392, 497])
const NO_DATABASE = new Set([81])
const NO_TABLE = new Set([60])
const NO_SETTING = new Set([115])
const FULL = new Set([243])
const NOT_OWN = new Set([469])
const LIMITS = new Set([158, 159, 160, 201, 202, 241, 307, 396])

/** The user of the database lacks a right. */
export class NotAllowed extends ScrollbackError {}

/** The server does not know a setting that every statement has. */
export class UnknownSetting extends ScrollbackError {}

/**
 * What a user can do about a failure. Names only the host and the database: messages of the engine quote
 * statements with their values.
 */
export function serverFault({ name, code }: Fault, { url, database }: ServerAddress): ScrollbackError {
  const host = hostOf(url)
  const unreadable = (message: string, wayOut: string): ScrollbackError =>
    new ScrollbackError('store-unreadable', message, wayOut)
  if (code === undefined)
    return new ScrollbackError(
      'store-unreachable',
      `The store at ${host} does not answer (${name}).`,
      wayTo(name),
    )
  if (AUTHENTICATION.has(code))
    return unreadable(
      `The store at ${host} does not accept this user and password.`,
      'Check the user in the address, and the password in SCROLLBACK_STORE_PASSWORD or in the password file.',
    )
  if (NOT_ALLOWED.has(code))
    return new NotAllowed(
      'store-unreadable',
      `The store at ${host} does not allow this user to do that.`,
      'Ask the administrator of the store for the right to do it.',
    )
  if (NOT_OWN.has(code))
    return unreadable(
      `The store at ${host} takes from this user only sessions of its own machine and of the persons that the administrator named.`,
      'Check --device, or ask the administrator of the store to grant it for this person: scrollback store grant --device … --persons …',
    )
  if (NO_DATABASE.has(code))
    return unreadable(
      `The store at ${host} has no database ${database}.`,
      'Check the name after the host in the address, or ask the administrator to create the database.',
    )
  if (NO_TABLE.has(code))
    return unreadable(
      `The database ${database} at ${host} is not a store of scrollback, or its tables are incomplete.`,
      'Open it once as a user that may create tables.',
    )
  if (NO_SETTING.has(code))
    return new UnknownSetting(
      'store-unreadable',
      `The store at ${host} does not know a setting of ClickHouse that scrollback needs.`,
      'Ask the administrator of the store to update ClickHouse.',
    )
  if (FULL.has(code))
    return new ScrollbackError(
      'store-full',
      `The store at ${host} has no room left.`,
      'Ask the administrator of the store to free space.',
    )
  if (LIMITS.has(code))
    return unreadable(
      `The store at ${host} stopped this question at a limit of its own (${name}).`,
      'Ask for less, for example with after: or project:, or ask the administrator to raise the limit.',
    )
  return unreadable(
    `The store at ${host} failed with ${name} (error ${code} of ClickHouse).`,
    'The log of the server says more. If the question was valid, please report this.',
  )
}

/** By the names that Node and OpenSSL give to faults of a connection. */
function wayTo(name: string): string {
  if (/ALTNAME/.test(name))
    return 'The certificate of the server is for another host. Use the name that it is for.'
  if (/EPROTO|WRONG_VERSION|SSL|TLS/.test(name))
    return 'It does not speak TLS on this port. ClickHouse does on its https_port, by default 8443. ?tls=off works on this machine only.'
  if (/CERT|VERIFY|SELF_SIGNED|ISSUER|CA_/.test(name))
    return 'The certificate of the server is not trusted. To trust one of your own, set NODE_EXTRA_CA_CERTS to its file.'
  return 'Check the host and the port in the address, and whether the server runs.'
}

/** The host with its port. Addresses never reach a message as they are. */
function hostOf(url: string): string {
  try {
    return new URL(url).host
  } catch {
    return 'this address'
  }
}
