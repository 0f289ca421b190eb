import { ask, type ChangedFile } from '../../api/ask.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Icon } from '../../parts/controls.tsx'
import { Loading } from '../../parts/notice.tsx'
import { Time } from '../../parts/page.tsx'
import { sessionAddress } from '../../state/router.ts'
import { counted } from '../../text/format.ts'
import { placesOf, removersOf, type Writer, type WrittenLine, writersOf } from './written.ts'

/** More changes of some lines than anybody reads. */
const MOST = 50

interface WhyProperties {
  file: ChangedFile
  /** The lines that are asked about. None if lines were only removed. */
  written: readonly WrittenLine[]
  session: string
}

/** Who asked for a change, and what the agent said before it, as `why` tells. */
export function Why({ file, written, session }: WhyProperties) {
  const text = written.map((line) => line.text).join('\n')
  const asked = useAnswer(ask('why', { file: file.path, text, limit: MOST }))
  if (asked.failure) return <p class="error-words why">{asked.failure.message}</p>
  if (!asked.answer)
    return (
      <div class="why">
        <Loading what="The reason" lines={2} />
      </div>
    )
  const sessions = [session, ...file.sessions]
  const { changes } = asked.answer
  const writers = written.length > 0 ? writersOf(written, changes, sessions) : removersOf(changes, sessions)
  if (writers.length === 0)
    return (
      <p class="note why">{`No call of a tool that ${written.length > 0 ? 'wrote this line' : 'changed this file'} is recorded.`}</p>
    )
  return (
    <>
      {written.length === 0 && writers.length > 1 && (
        <p class="note why">One of these changes of the file removed it:</p>
      )}
      {writers.map((writer) => (
        <Reason
          key={writer.lines[0]?.number ?? writer.change.line}
          writer={writer}
          of={
            writers.length === 1 || written.length === 0
              ? undefined
              : file.complete
                ? placesOf(writer.lines)
                : writer.lines[0]!.text
          }
        />
      ))}
    </>
  )
}

interface ReasonProperties {
  writer: Writer
  /** The lines that it is of, where others have another reason. */
  of: string | undefined
}

function Reason({ writer: { change, others }, of }: ReasonProperties) {
  const { asked, reason, commit } = change
  return (
    <div class="why">
      {of !== undefined && (
        <p class="number" dir="auto">
          {of}
        </p>
      )}
      {asked && (
        <p class="why-asked" dir="auto">
          <b>You asked</b> {asked.text}
        </p>
      )}
      {reason && (
        <p dir="auto">
          <b>The agent said</b> {reason.text}
        </p>
      )}
      <p class="why-facts">
        <a class="link" href={sessionAddress(change.session, change.line)}>
          <Icon name="chevron" />
          See it in the conversation
        </a>
        <Time at={change.at} />
        {commit && <span>{`in the commit “${commit.subject}”`}</span>}
        {others > 0 && <span>{`${counted(others, 'other change')} wrote it, too`}</span>}
      </p>
    </div>
  )
}
