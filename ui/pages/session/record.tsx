import { useEffect, useState } from 'preact/hooks'
import { ask, type Call, type ImageOf, type RecordAnswer } from '../../api/ask.ts'
import { getFile, parsed } from '../../api/client.ts'
import { Icon } from '../../parts/controls.tsx'
import { Skeleton } from '../../parts/notice.tsx'
import { bytes, count, shortPath } from '../../text/format.ts'
import { Code, Diff, Markdown } from '../../text/prose.tsx'
import type { Conversation } from './conversation.ts'

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
            <figcaption>
              <span dir="auto">{shortPath(diff.path, 4)}</span>
              <button
                type="button"
                class="quiet"
                onClick={() => {
                  conversation.wantedFile.value = diff.path
                }}
              >
                All changes of it
              </button>
            </figcaption>
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

interface ImagesProperties {
  conversation: Conversation
  line: number
  names: readonly string[]
}

/** Images of a message. They are fetched when the person asks for them. */
export function Images({ conversation, line, names }: ImagesProperties) {
  const [images, setImages] = useState<readonly ImageOf[] | string>()
  const show = () => {
    conversation.record(line).then(
      (record) => setImages(record.images),
      (error: unknown) => setImages(error instanceof Error ? error.message : String(error)),
    )
  }
  if (images === undefined || typeof images === 'string')
    return (
      <p class="media">
        <button type="button" class="chip" onClick={show}>
          <Icon name="image" />
          <span dir="auto">{names.join(', ')}</span>
        </button>
        {images && <span class="error-words">{images}</span>}
      </p>
    )
  if (images.length === 0) return <p class="media note">{`Not stored in the record: ${names.join(', ')}`}</p>
  return (
    <div class="pictures">
      {images.map((image) => (
        <Picture key={image.index} conversation={conversation} image={image} />
      ))}
    </div>
  )
}

interface PictureProperties {
  conversation: Conversation
  image: ImageOf
}

function Picture({ conversation, image }: PictureProperties) {
  const [address, setAddress] = useState<string>()
  const [failure, setFailure] = useState<string>()
  useEffect(() => {
    let made: string | undefined
    let isGone = false
    getFile(ask('image', { session: conversation.session, line: image.line, index: image.index })).then(
      ({ file }) => {
        if (isGone) return
        made = URL.createObjectURL(file)
        setAddress(made)
      },
      (error: unknown) => setFailure(error instanceof Error ? error.message : String(error)),
    )
    return () => {
      isGone = true
      if (made) URL.revokeObjectURL(made)
    }
  }, [conversation, image.line, image.index])
  const what = `Image, ${image.type}, ${bytes(image.bytes)}`
  if (failure) return <p class="error-words">{failure}</p>
  return address ? <img src={address} alt={what} /> : <span class="picture-waiting">{what}</span>
}
