import { join } from 'node:path'
import { groupByProject } from '../../src/project/group.ts'
import type { SpaceAddress } from '../../src/store/team.ts'
import { refresh } from '../../src/sync/refresh.ts'
import { runSources } from '../program.ts'
import { call, claude, put, temporaryHome, text, uuid } from '../records.ts'
import { claudeAt } from '../store-audit.ts'
import { emptyServer } from './engines.ts'
import { machineStore, send } from './space.ts'

/** Sends what is below a folder as one machine does. */
export function sendAs(
  device: string,
  person: string,
  folder: string,
  server: SpaceAddress,
  store = machineStore(),
): void {
  const environment = claudeAt(folder)
  refresh(store, { environment, now: Date.now(), threads: () => 1, faultOf: String })
  store.assignProjects(
    groupByProject(store.projectFacts()).map(({ name, path, sessions }) => ({
      project: path === undefined ? undefined : { name, path },
      artifacts: sessions.map(({ artifact }) => artifact),
    })),
  )
  send(store, server, { device, person })
  store.close()
}

/** How the command line names a space on this machine. */
export const addressOf = ({ url, user, database }: SpaceAddress): string =>
  `clickhouse://${user}@${new URL(url).host}/${database}?tls=off`

/** What the first run of `collect` into a space has to say. */
export const CHOSEN = ['--projects', '*', '--person', 'ann'] as const

/** Two machines: a session of each at the same path, one that both have, and one of the second. */
export function team() {
  const server = emptyServer()
  const folder = join(temporaryHome(), 'claude')
  const path = join(folder, 'projects/-home-ann-garden', `${uuid(1)}.jsonl`)
  const shared = join(folder, 'projects/-home-ann-garden', `${uuid(7)}.jsonl`)
  put(shared, [claude.user(50, 'The bench is shared', { sessionId: uuid(7) })])
  put(path, [claude.user(1, 'Water the fern'), claude.reply(2, [text('Watered.')])])
  sendAs('oak', 'ann', folder, server)
  put(path, [claude.user(11, 'Cut the hedge'), claude.reply(12, [call('t1', 'Bash', { command: 'cut' })])])
  put(join(path, '..', `${uuid(3)}.jsonl`), [claude.user(31, 'Sweep the path', { sessionId: uuid(3) })])
  sendAs('elm', 'bob', folder, server)
  const at = addressOf(server)
  const { password } = server
  const home = temporaryHome()
  const ask = (...words: string[]) =>
    runSources([...words, '--store', at], home, { SCROLLBACK_STORE_PASSWORD: password })
  return { server, path, ask, at, password, home }
}
