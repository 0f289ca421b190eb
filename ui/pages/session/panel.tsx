import { useSignal } from '@preact/signals'
import { Button } from '../../parts/button.tsx'
import { MarkEditor } from '../../parts/tags.tsx'
import { Time } from '../../parts/time.tsx'
import type { Viewport } from '../../parts/viewport.ts'
import { brief, bytes, count, dollars } from '../../text/figures.ts'
import { kindName, platformName, shortPath } from '../../text/names.ts'
import { dateAndTime } from '../../text/times.ts'
import { Changes } from './changes.tsx'
import type { Conversation } from './conversation.ts'
import { Curve } from './curve.tsx'
import { Outline } from './outline.tsx'
import { Resume } from './resume.tsx'

const TABS = [
  { id: 'outline', title: 'Outline' },
  { id: 'changes', title: 'Changes' },
  { id: 'details', title: 'Details' },
] as const

type Tab = (typeof TABS)[number]['id']

interface PanelProperties {
  conversation: Conversation
  viewport: Viewport
  onClose(): void
}

/** Beside the conversation: the curve of its context, the outline, the net diff, and its details. */
export function Panel({ conversation, viewport, onClose }: PanelProperties) {
  const tab = useSignal<Tab>('outline')
  const move = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (by === 0) return
    const at = TABS.findIndex(({ id }) => id === tab.value)
    tab.value = TABS[(at + by + TABS.length) % TABS.length]!.id
    document.getElementById(`tab-${tab.value}`)?.focus()
  }
  return (
    // Lines of files need more room than the outline. The conversation stays as wide as it is.
    <aside class="panel" data-wide={tab.value === 'changes'} aria-label="About this session">
      <div class="panel-head">
        <div class="tabs" role="tablist" aria-label="About this session">
          {TABS.map(({ id, title }) => (
            <button
              key={id}
              id={`tab-${id}`}
              type="button"
              role="tab"
              aria-selected={tab.value === id}
              aria-controls="panel-content"
              tabIndex={tab.value === id ? 0 : -1}
              onKeyDown={move}
              onClick={() => {
                tab.value = id
              }}
            >
              {title}
            </button>
          ))}
        </div>
        <Button label="Hide the panel" icon="close" bare onClick={onClose} />
      </div>
      <div
        id="panel-content"
        class="panel-content"
        role="tabpanel"
        aria-labelledby={`tab-${tab.value}`}
        tabIndex={0}
      >
        {tab.value === 'outline' && (
          <>
            <Curve conversation={conversation} viewport={viewport} />
            <Outline conversation={conversation} viewport={viewport} />
          </>
        )}
        {tab.value === 'changes' && <Changes conversation={conversation} />}
        {tab.value === 'details' && <Details conversation={conversation} />}
      </div>
    </aside>
  )
}

function Details({ conversation }: { conversation: Conversation }) {
  const row = conversation.outline.value?.session
  if (!row) return null
  const { usage } = row
  const facts: [string, string | undefined][] = [
    ['Client', platformName(row.platform)],
    ['Agent', row.agent],
    ['Kind', kindName(row.kind)],
    ['Model', row.model],
    ['Version', row.version],
    ['Git branch', row.gitBranches?.join(', ')],
    ['Folder', row.cwd ?? undefined],
    ['Human messages', count(row.messages.human)],
    ['Agent messages', count(row.messages.agent)],
    ['Tool calls', count(row.toolCalls)],
    [
      'Errors',
      row.possibleErrors > 0 ? `${row.errors} and ${row.possibleErrors} possible` : count(row.errors),
    ],
    ['Input tokens', usage && brief(usage.input)],
    ['Read from cache', usage && brief(usage.cacheRead)],
    ['Written to cache', usage && brief(usage.cacheWrite)],
    ['Output tokens', usage && brief(usage.output)],
    ['Recorded cost', usage?.cost === undefined ? undefined : dollars(usage.cost)],
    ['Size', `${bytes(row.bytes)}, ${count(row.lines)} lines`],
  ]
  return (
    <>
      <MarkEditor row={row} />
      <Resume session={row.id} />
      <dl class="facts">
        <div>
          <dt>Started</dt>
          <dd>
            <Time at={row.startedAt} text={dateAndTime} />
          </dd>
        </div>
        <div>
          <dt>Last activity</dt>
          <dd>
            <Time at={row.lastActivityAt ?? row.modifiedAt} text={dateAndTime} />
          </dd>
        </div>
        {facts.map(([name, value]) =>
          value ? (
            <div key={name}>
              <dt>{name}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ) : null,
        )}
        <div>
          <dt>Session</dt>
          <dd class="breakable">{row.id}</dd>
        </div>
        <div>
          <dt>File</dt>
          <dd class="breakable" title={row.path} dir="auto">
            {shortPath(row.path, 4)}
          </dd>
        </div>
      </dl>
    </>
  )
}
