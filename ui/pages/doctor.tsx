import { ask, type Diagnosis } from '../api/ask.ts'
import { useAnswer } from '../api/use-answer.ts'
import { AgentBadge } from '../parts/agent-badge.tsx'
import { FigureList } from '../parts/charts.tsx'
import { Awaited, Command } from '../parts/notice.tsx'
import { Page, Section } from '../parts/page.tsx'
import { Status, Table } from '../parts/table.tsx'
import { bytes, count, counted, platformName, shortPath } from '../text/format.ts'

const MOST = 50

/**
 * The commands in an advice, as it is written for a terminal: after a colon with all of their words, up to a
 * sign of punctuation, and elsewhere with their flags.
 */
const COMMAND =
  /((?<=: )scrollback(?: (?:'[^']*'|[^\s'();]*[^\s'();.,:]))+(?=$|[).;,])|scrollback [a-z]+(?: --[a-z][\w-]*)*|chmod 600 \S+)/m
/** A browser would break the line after a minus. */
const OPTION = /(--[a-z][\w-]*)/

/** A sentence whose commands can be copied. */
const Advice = ({ text }: { text: string }) => (
  <>
    {text.split(COMMAND).map((part, index) => (index % 2 === 0 ? part : <Command key={index} text={part} />))}
  </>
)

/** Proof that no file, line or stored message is missing. */
export function Doctor() {
  const asked = useAnswer(ask('doctor'))
  return (
    <Page title="Doctor" subtitle="Compares every file with the store">
      <Awaited asked={asked} what="The diagnosis">
        {(answer) => <Answer answer={answer} />}
      </Awaited>
    </Page>
  )
}

function Answer({ answer }: { answer: Diagnosis }) {
  const { artifacts, sources, store, unread, refused, warnings } = answer
  const troubled = artifacts.filter(({ problems }) => problems.length > 0)
  const lines = artifacts.reduce((sum, each) => sum + each.lines, 0)
  return (
    <>
      <p class="verdict status" data-state={answer.ok ? 'ok' : 'failed'}>
        {answer.ok ? 'Nothing is missing' : `${counted(troubled.length, 'file')} with a problem`}
      </p>
      <FigureList
        figures={[
          { name: 'Files', value: count(artifacts.length) },
          { name: 'Lines', value: count(lines) },
          { name: 'Stored messages', value: count(store.messages) },
          { name: 'Store', value: bytes(store.bytes) },
        ]}
      />
      {warnings.length > 0 && (
        <Section title="Warnings">
          <ul class="remarks">
            {warnings.map((warning) => (
              <li key={warning} dir="auto">
                <Advice text={warning} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      {troubled.length > 0 && (
        <Section title="Problems">
          <ul class="remarks">
            {troubled.slice(0, MOST).map((artifact) => (
              <li key={artifact.path}>
                <p class="breakable" dir="auto">
                  {artifact.path}
                </p>
                {artifact.problems.map((problem) => (
                  <p key={problem} class="error-words">
                    <Advice text={problem} />
                  </p>
                ))}
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title="Folders">
        <div class="table-holder" tabIndex={0} role="region" aria-label="Folders">
          <table class="data folders">
            <tbody>
              {sources.map((source) => (
                <tr key={source.path}>
                  <th scope="row">
                    <span class="with-badge">
                      <AgentBadge platform={source.platform} />
                      {platformName(source.platform)}
                    </span>
                  </th>
                  <td class="breakable" dir="auto">
                    {source.path}
                  </td>
                  <td>
                    <Status state={source.found ? 'ok' : 'off'} words={source.found ? 'read' : 'not here'} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Section>
      <Files title="Found, but not read" files={unread} none="Every file next to the sessions is read." />
      <Files title="Left closed on purpose" files={refused} none="No file is left closed." />
    </>
  )
}

interface FilesProperties {
  title: string
  files: readonly { path: string; reason: string; bytes: number }[]
  none: string
}

function Files({ title, files, none }: FilesProperties) {
  return (
    <Section title={title} more={files.length > 0 ? counted(files.length, 'file') : undefined}>
      {files.length === 0 ? (
        <p class="note">{none}</p>
      ) : (
        <Table label={title} columns={['File', 'Why', 'Size']} numbers={['Size']}>
          {files.slice(0, MOST).map((file) => (
            <tr key={file.path}>
              <th scope="row" class="breakable" title={file.path} dir="auto">
                {shortPath(file.path, 4)}
              </th>
              <td>
                {file.reason.split(OPTION).map((part, index) =>
                  index % 2 === 0 ? (
                    part
                  ) : (
                    <code class="option" key={index}>
                      {part}
                    </code>
                  ),
                )}
              </td>
              <td class="right">{bytes(file.bytes)}</td>
            </tr>
          ))}
        </Table>
      )}
    </Section>
  )
}
