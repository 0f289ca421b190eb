import { useEffect, useState } from 'preact/hooks'
import { parsed } from '../../api/client.ts'
import type { Call, RecordAnswer } from '../../api/shapes.ts'
import { Code } from '../../parts/code.tsx'
import { Diff } from '../../parts/diff.tsx'
import { Skeleton } from '../../parts/notice.tsx'
import { count } from '../../text/figures.ts'
import { Markdown } from '../../text/markdown.tsx'
import { shortPath } from '../../text/names.ts'
import type { Conversation } from './conversation.ts'
import { Picture } from './images.tsx'

interface RecordProperties {
  conversation: Conversation
  line: number
  /** Which call of the record; without it, none is shown. */
  position?: number
  name?: string | undefined
  thinkingOnly?: boolean
}

/** What the record of a line contains: thinking, and input and output of a call, read from the file. */
export function RecordDetails({ conversation, line, position, name, thinkingOnly }: RecordProperties) {
  const [record, setRecord] = useState<RecordAnswer | Error>()
  useEffect(() => {
    conversation
      .record(line)
      .then(setRecord, (error: unknown) =>
        setRecord(error instanceof Error ? error : new Error(String(error))),
      )
  }, [conversation, line])
  if (record === undefined) return <Skeleton lines={3} />
  if (record instanceof Error) return <p class="error-words">{record.message}</p>
  const call = thinkingOnly
    ? undefined
    : (record.calls[position ?? 0] ?? record.calls.find((each) => each.name === name))
  return (
    <div class="record">
      {record.thinking && <Thinking text={record.thinking} isOpen={thinkingOnly === true} />}
      {thinkingOnly && !record.thinking && <p class="note">The record contains no thinking.</p>}
      {call && <CallContent conversation={conversation} call={call} />}
      {!call && !thinkingOnly && <p class="note">The file no longer contains this call.</p>}
    </div>
  )
}

function Thinking({ text, isOpen }: { text: string; isOpen: boolean }) {
  return (
    <details class="thinking" open={isOpen}>
      <summary>Thinking</summary>
      <Markdown text={text} />
    </details>
  )
}

const LANGUAGES: Record<string, string> = { command: 'bash', cmd: 'bash', script: 'bash', sql: 'sql' }

function CallContent({ conversation, call }: { conversation: Conversation; call: Call }) {
  return (
    <>
      {call.diff?.length ? (
        call.diff.map((diff, index) => (
          <figure class="diff-figure" key={index}>
            <figcaption dir="auto">{shortPath(diff.path, 4)}</figcaption>
            <Diff before={diff.before ?? ''} after={diff.after} />
          </figure>
        ))
      ) : (
        <Input text={call.input} />
      )}
      {call.output && <Output text={call.output} isError={call.isError === true} isCut={call.cut === true} />}
      {call.images.map((image) => (
        <Picture key={image.index} conversation={conversation} image={image} />
      ))}
    </>
  )
}

/** The fields of an input, which is usually the text of a JSON object. */
function fieldsOf(text: string): object | undefined {
  try {
    const value = parsed(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

function Input({ text }: { text: string }) {
  const input = fieldsOf(text)
  if (input === undefined) return text === '' ? null : <Code text={text} label="Input" />
  const fields = Object.entries(input)
  return (
    <dl class="input">
      {fields.map(([name, value]) => (
        <div key={name}>
          <dt dir="auto">{name}</dt>
          <dd>
            {typeof value === 'string' && !value.includes('\n') && LANGUAGES[name] === undefined ? (
              <code dir="auto">{value}</code>
            ) : typeof value === 'string' ? (
              <Code text={value} language={LANGUAGES[name]} label={name} />
            ) : (
              <Code text={JSON.stringify(value, null, 2)} language="json" label={name} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const MOST_SHOWN = 4000

function Output({ text, isError, isCut }: { text: string; isError: boolean; isCut: boolean }) {
  const [isWhole, setWhole] = useState(false)
  const isLong = text.length > MOST_SHOWN && !isWhole
  return (
    <div class="output" data-error={isError}>
      <p class="output-name">{isError ? 'Output, failed' : 'Output'}</p>
      <Code text={isLong ? text.slice(0, MOST_SHOWN).toWellFormed() : text} label="Output" />
      {isLong && (
        <button type="button" class="quiet more" onClick={() => setWhole(true)}>
          {`Show the other ${count(text.length - MOST_SHOWN)} characters`}
        </button>
      )}
      {isCut && !isLong && <p class="note">The rest is only in the file.</p>}
    </div>
  )
}
