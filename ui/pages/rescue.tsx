import { useState } from 'preact/hooks'
import { ask, type RescueAnswer, type VanishingAnswer } from '../api/ask.ts'
import { type Asked, useAnswer } from '../api/use-answer.ts'
import { AgentBadge } from '../parts/agent-badge.tsx'
import { ShowAll } from '../parts/controls.tsx'
import { Awaited, Command, Empty } from '../parts/notice.tsx'
import { InOrder, Page, Section, Time } from '../parts/page.tsx'
import { Fact, Status, Table } from '../parts/table.tsx'
import { sessionAddress } from '../state/router.ts'
import { bytes, count, counted, titleOrId } from '../text/format.ts'
import { age, distance } from '../text/times.ts'

/** More are shown on request. */
const MOST = 8
const MOST_GONE = 50

/** What clients delete when, what is kept of it and where, and the commands that keep it and put it back. */
export function Rescue() {
  const [all, setAll] = useState(false)
  const [allGone, setAllGone] = useState(false)
  const soon = useAnswer(ask('vanishing', { limit: all ? 0 : MOST }), { live: 30_000, keep: true })
  const rescue = useAnswer(ask('rescue', { limit: allGone ? 0 : MOST_GONE }), { live: 30_000, keep: true })
  return (
    <Page title="Rescue" subtitle="What clients delete, what is kept of it, and how to get it back">
      <InOrder
        what="What is kept"
        parts={[
          {
            asked: [soon, rescue],
            draw: () => <Soon asked={soon} keep={rescue.answer?.keep} all={all} setAll={setAll} />,
          },
          { asked: [rescue], draw: () => <Gone asked={rescue} all={allGone} setAll={setAllGone} /> },
          { asked: [rescue], draw: () => <Kept asked={rescue} /> },
        ]}
      />
    </Page>
  )
}

interface SoonProperties {
  asked: Asked<VanishingAnswer>
  keep: string | undefined
  all: boolean
  setAll(all: boolean): void
}

/** What clients delete within a week, and whether the store or an archive already has it. */
const Soon = ({ asked, keep, all, setAll }: SoonProperties) => (
  <Section title="About to be deleted" more={asked.answer && remark(asked.answer)}>
    <Awaited asked={asked} what="What is about to be deleted">
      {({ sessions, total, archived }) =>
        total === 0 ? (
          <p class="note">No client deletes anything within a week.</p>
        ) : (
          <>
            {archived < total && keep !== undefined && (
              <p class="advice">
                To keep all of it, now and later: <Command text={keep} />
              </p>
            )}
            <Table
              label="About to be deleted"
              stacked
              columns={['Session', 'Project', 'Its client deletes it', 'Kept here']}
            >
              {sessions.map((session) => (
                <tr key={session.path}>
                  <th scope="row">
                    <span class="with-badge">
                      <AgentBadge platform={session.platform} />
                      <a href={sessionAddress(session.id)} dir="auto">
                        {titleOrId(session)}
                      </a>
                    </span>
                  </th>
                  <td dir="auto" data-label="Project">
                    {session.project ?? '–'}
                  </td>
                  <td data-label="Its client deletes it">
                    <Time at={session.deletesAt} text={distance} />
                  </td>
                  <td data-label="Kept here">
                    <Status
                      state={session.stored ? 'ok' : 'warning'}
                      words={session.archived ? 'in an archive' : session.stored ? 'its messages' : 'not yet'}
                    />
                  </td>
                </tr>
              ))}
            </Table>
            {total > MOST && <ShowAll total={total} all={all} setAll={setAll} />}
          </>
        )
      }
    </Awaited>
  </Section>
)

const remark = ({ total, stored, archived }: VanishingAnswer): string =>
  total === 0
    ? ''
    : archived === total
      ? 'All of it is in an archive and can be restored.'
      : stored === total
        ? 'All of it stays readable here, without tool output.'
        : `${counted(total - stored, 'session')} not in the store yet.`

interface GoneProperties {
  asked: Asked<RescueAnswer>
  all: boolean
  setAll(all: boolean): void
}

/** What is gone from the disk, and how to get it back. */
const Gone = ({ asked, all, setAll }: GoneProperties) => (
  <Section title="Deleted by their clients" more={asked.answer && counted(asked.answer.total, 'session')}>
    <Awaited asked={asked} what="What was deleted">
      {({ gone, total }) =>
        total === 0 ? (
          <p class="note">Every session that was indexed is still on the disk.</p>
        ) : (
          <>
            <Table
              label="Deleted by their clients"
              stacked
              columns={['Session', 'Project', 'Gone', 'Kept here', 'To get it back']}
            >
              {gone.map((session) => (
                <tr key={session.path}>
                  <th scope="row">
                    <span class="with-badge">
                      <AgentBadge platform={session.platform} agent={session.agent} />
                      <a href={sessionAddress(session.id)} dir="auto">
                        {titleOrId(session)}
                      </a>
                    </span>
                  </th>
                  <td dir="auto" data-label="Project">
                    {session.project ?? '–'}
                  </td>
                  <td data-label="Gone">
                    {session.goneSince === null ? 'earlier' : <Time at={session.goneSince} text={age} />}
                  </td>
                  <td data-label="Kept here">
                    <KeptOf gone={session} />
                  </td>
                  <td data-label="To get it back">
                    {session.restore ? (
                      <Command text={session.restore.command} />
                    ) : (
                      <span class="note">its client takes nothing back</span>
                    )}
                  </td>
                </tr>
              ))}
            </Table>
            {total > MOST_GONE && <ShowAll total={total} all={all} setAll={setAll} />}
          </>
        )
      }
    </Awaited>
  </Section>
)

export const KeptOf = ({ gone: { archive, messages } }: { gone: RescueAnswer['gone'][number] }) => (
  <Status
    state={archive ? 'ok' : messages > 0 ? 'warning' : 'failed'}
    words={archive ? 'all of it, in an archive' : messages > 0 ? counted(messages, 'message') : 'nothing'}
  />
)

/** What each client deletes, and where the copies are. */
const Kept = ({ asked }: { asked: Asked<RescueAnswer> }) => (
  <Awaited asked={asked} what="What is kept">
    {({ clients, store, archives, keep }) => (
      <>
        <Section title="What clients delete">
          {clients.length === 0 ? (
            <Empty title="No client has sessions here">They appear as soon as an agent writes one.</Empty>
          ) : (
            <Table
              label="What clients delete"
              stacked
              columns={['Client', 'Sessions', 'Deletes', 'Setting']}
              numbers={['Sessions']}
            >
              {clients.map(({ platform, name, sessions, days, setting, keepsLonger }) => (
                <tr key={platform}>
                  <th scope="row">
                    <span class="with-badge">
                      <AgentBadge platform={platform} />
                      {name}
                    </span>
                  </th>
                  <td class="right" data-label="Sessions">
                    {count(sessions)}
                  </td>
                  <td data-label="Deletes">
                    {days !== null
                      ? `after ${counted(days, 'day')}`
                      : keepsLonger
                        ? 'later than its default: older sessions are still here'
                        : 'nothing'}
                  </td>
                  <td class={setting ? 'whole' : undefined} data-label="Setting">
                    {setting ? <code>{setting}</code> : '–'}
                  </td>
                </tr>
              ))}
            </Table>
          )}
        </Section>
        <Section title="What is kept, and where">
          <dl class="facts kept">
            <Fact name="Messages">
              <span class="breakable" dir="auto">
                {store.path}
              </span>
              {store.bytes > 0 && <span class="note">{` ${bytes(store.bytes)}, without tool output`}</span>}
            </Fact>
            {archives.map(({ path, deliveredAt, files, found }) => (
              <Fact key={path} name="Archive">
                <span class="breakable" dir="auto">
                  {path}
                </span>
                <span class={found ? 'note' : 'error-words'}>
                  {found ? ` ${counted(files, 'file')}, filled ` : ' is not there now, filled '}
                  {deliveredAt === null ? 'never' : <Time at={deliveredAt} />}
                </span>
              </Fact>
            ))}
            {archives.length === 0 && (
              <Fact name="Archive">
                {'None yet. It keeps everything, tool output included: '}
                <Command text={keep} />
              </Fact>
            )}
          </dl>
        </Section>
      </>
    )}
  </Awaited>
)
