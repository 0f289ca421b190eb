import type { ComponentChildren } from 'preact'
import type { Hit } from '../../api/shapes.ts'
import { Time } from '../../parts/time.tsx'
import { nameNow } from '../../state/marks.ts'
import { memoryAddress, projectAddress, sessionAddress } from '../../state/router.ts'
import { counted } from '../../text/figures.ts'
import { fileName } from '../../text/names.ts'

const NAMES: Record<string, string> = {
  human: 'You',
  agent: 'Agent',
  program: 'Program',
  tool: 'Tool',
  error: 'Error',
  marker: 'Marker',
  memory: 'Memory',
  output: 'Output',
}

interface GroupProperties {
  session: string
  hits: readonly Hit[]
}

/** The matches in one session. */
export function Group({ session, hits }: GroupProperties) {
  const [first] = hits
  const isMemory = first?.who === 'memory'
  const address = isMemory ? memoryAddress(first.path) : sessionAddress(session)
  const plain = isMemory ? fileName(first.path) : (first?.project ?? session.slice(0, 8))
  const title = first && !isMemory ? nameNow(first) || first.title : undefined
  return (
    <section class="found">
      <p class="found-head">
        <a class="found-title" href={address} dir="auto">
          {title ?? plain}
        </a>
        {first?.project && (
          <a class="note" href={projectAddress(first.project)} dir="auto">
            {first.project}
          </a>
        )}
        <span class="note">
          {counted(hits.length, 'match', 'matches')} · <Time at={first?.at} />
        </span>
      </p>
      <ul class="hits">
        {hits.map((hit, place) => (
          <li key={place}>
            <a class="hit" data-who={hit.who} href={isMemory ? address : sessionAddress(session, hit.line)}>
              <span class="hit-head">
                <span class="hit-who">{hit.label === 'title' ? 'Title' : (NAMES[hit.who] ?? hit.who)}</span>
                <Time at={hit.at} />
                {hit.copies && hit.copies.length > 0 && (
                  <span>{counted(hit.copies.length, 'copy', 'copies')}</span>
                )}
              </span>
              <Around item={hit.context?.before.at(-1)} />
              <span class="hit-words" dir="auto">
                {marked(hit)}
              </span>
              <Around item={hit.context?.after[0]} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

type Neighbor = NonNullable<Hit['context']>['before'][number]

function Around({ item }: { item: Neighbor | undefined }) {
  const words = item?.text ?? (item?.tool ? `${item.tool.name} ${item.tool.target ?? ''}` : '')
  return words ? (
    <span class="hit-words hit-context" dir="auto">
      {words.slice(0, 200)}
    </span>
  ) : null
}

/** The snippet with the matched words marked. */
function marked({ snippet, marks, tool }: Hit): ComponentChildren[] {
  const text = snippet || (tool ? `${tool.name} ${tool.target ?? ''}` : '')
  const parts: ComponentChildren[] = []
  let done = 0
  for (const [start = 0, end = 0] of marks) {
    if (start < done || end > text.length) continue
    parts.push(text.slice(done, start), <mark key={start}>{text.slice(start, end)}</mark>)
    done = end
  }
  parts.push(text.slice(done))
  return parts
}
