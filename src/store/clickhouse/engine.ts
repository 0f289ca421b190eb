import { ScrollbackError } from '../../errors.ts'
import type { SpaceAddress, TeamEngine } from '../team.ts'
import { accountStatements } from './access.ts'
import { openAdministration, upgradeSpace } from './administration.ts'
import { openInbox } from './inbox.ts'
import { schemaStatements } from './migrate.ts'
import { openClickHouseStore } from './open.ts'
import { DEVICE_USER } from './schema.ts'

const SCHEME = 'clickhouse:'
const FORM = 'clickhouse://user@host/database'
const PORTS = { tls: 8443, plain: 8123 }
/** Names of parameters with which other programs give a password. */
const SECRET = /pass|pw|secret|token|key|auth|cred/i
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/**
 * Reads `clickhouse://user@host[:port]/database`, with TLS unless `?tls=off` is given for this machine. See
 * `TeamEngine`.
 */
function addressIn(text: string, flag: string): Omit<SpaceAddress, 'password'> {
  const wrong = (what: string, wayOut: string): ScrollbackError =>
    new ScrollbackError('bad-option', `${flag}: ${what}.`, wayOut)
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== SCHEME || url.hostname === '')
    throw wrong('not the address of a store', `Give it like this: ${flag} ${FORM}`)
  const others = [...url.searchParams.keys()].filter((name) => name !== 'tls')
  if (url.password !== '' || others.some((name) => SECRET.test(name)))
    throw wrong(
      'a password in an address can be read by every program of this machine',
      'Put it into SCROLLBACK_STORE_PASSWORD, or into a file for --store-password-file.',
    )
  if (others.length > 0 || url.hash !== '')
    throw wrong('an address has no parameters but tls', `Give it like this: ${flag} ${FORM}`)
  const database = decodeURIComponent(url.pathname.slice(1))
  if (!/^[A-Za-z_]\w*$/.test(database))
    throw wrong('no database after the host', `Give it like this: ${flag} ${FORM}`)
  const tls = url.searchParams.get('tls') ?? 'on'
  if (tls !== 'on' && tls !== 'off') throw wrong('tls is on or off', 'Drop ?tls= to use TLS.')
  if (tls === 'off' && !LOOPBACK.test(url.hostname))
    throw wrong(
      'without TLS, the password and all messages would cross the network as plain text',
      'Drop ?tls=off, or forward the port to this machine, for example with ssh -L 8123:localhost:8123.',
    )
  const port = url.port === '' ? PORTS[tls === 'off' ? 'plain' : 'tls'] : Number(url.port)
  return {
    url: `${tls === 'off' ? 'http' : 'https'}://${url.hostname}:${port}`,
    user: url.username === '' ? 'default' : decodeURIComponent(url.username),
    database,
  }
}

/** Spaces on ClickHouse servers: all that the rest of the program knows of this folder. */
export const clickhouse: TeamEngine = {
  addressIn,
  open: openClickHouseStore,
  inbox: openInbox,
  administer: openAdministration,
  upgrade: upgradeSpace,
  deviceUser: DEVICE_USER,
  schemaStatements,
  accountStatements,
}
