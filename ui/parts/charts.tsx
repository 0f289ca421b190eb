import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { StatsAnswer } from '../api/ask.ts'
import {
  brief,
  costOrRecorded,
  count,
  counted,
  dollars,
  modelName,
  percent,
  shortPath,
} from '../text/format.ts'
import { ShowAll } from './controls.tsx'

/** How often each tool was called, and how often it failed. */
export const ToolBars = ({ tools }: Pick<StatsAnswer, 'tools'>) => (
  <BarList
    rows={tools.map((tool) => ({
      key: tool.name,
      name: tool.name,
      value: tool.calls,
      shown: `${brief(tool.calls)}${tool.errors > 0 ? ` · ${brief(tool.errors)} failed` : ''}`,
    }))}
  />
)

/** The files that were written most. */
export const FileBars = ({ files }: Pick<StatsAnswer, 'files'>) => (
  <BarList
    rows={files.map((file) => ({
      key: file.path,
      name: <a href={`/search?q=${encodeURIComponent(`file:"${file.path}"`)}`}>{shortPath(file.path, 2)}</a>,
      value: file.count,
      shown: counted(file.count, 'time'),
    }))}
  />
)

/** The longest bars, and all of them on request. */
function BarList({ rows, most = 10 }: BarsProperties & { most?: number }) {
  const [all, setAll] = useState(false)
  const sorted = rows.toSorted((a, b) => b.value - a.value)
  return (
    <>
      <Bars rows={all ? sorted : sorted.slice(0, most)} />
      {rows.length > most && <ShowAll total={rows.length} all={all} setAll={setAll} />}
    </>
  )
}

interface BarsProperties {
  rows: readonly {
    key: string
    name: ComponentChildren
    value: number
    shown: string
  }[]
}

/** Values side by side, longest first. */
export function Bars({ rows }: BarsProperties) {
  const sorted = rows.toSorted((a, b) => b.value - a.value)
  const most = Math.max(...rows.map(({ value }) => value), 0) || 1
  return (
    <ul class="bars">
      {sorted.map(({ key, name, value, shown }) => (
        <li class="bar-row" key={key}>
          <span class="bar-name" dir="auto" title={key}>
            {name}
          </span>
          <span class="bar-track" aria-hidden="true">
            <span class="bar-fill" style={{ width: `${(value / most) * 100}%` }} />
          </span>
          <span class="bar-value">{shown}</span>
        </li>
      ))}
    </ul>
  )
}

export interface Figure {
  name: string
  value: string
  /** A remark below the value. */
  note?: string | undefined
}

/** Figures beside each other, each with its name. */
export function FigureList({ figures, look }: { figures: readonly Figure[]; look?: 'pace' }) {
  return (
    <dl class={look ? `figures ${look}` : 'figures'}>
      {figures.map(({ name, value, note }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value}
            {note && <div class="figure-note">{note}</div>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Which part of what models read came from a cache, from 0 to 1. */
export const cacheShare = (totals: StatsAnswer['totals']): number =>
  totals.cacheReadTokens / (totals.inputTokens + totals.cacheReadTokens + totals.cacheCreationTokens || 1)

/** What the cost at list price does not say. */
function costNotes(
  { cost, recordedCost, unpricedModels }: StatsAnswer['totals'],
  notPriced: NonNullable<StatsAnswer['notPriced']>,
): string[] {
  return [
    ...(recordedCost === null || cost === null ? [] : [`${dollars(recordedCost)} recorded by the agents`]),
    ...(unpricedModels.length === 0
      ? []
      : [`no price is known for ${[...new Set(unpricedModels.map(modelName))].join(', ')}`]),
    ...notPriced.map(({ terms, requests }) => `without ${terms} of ${counted(requests, 'request')}`),
  ]
}

/** The sums over everything that was asked for. */
export function UsageFigures({
  totals,
  activeDays,
  silent = 0,
  uncounted = 0,
  ofPeople,
  notPriced = [],
}: Pick<StatsAnswer, 'totals' | 'activeDays' | 'silent' | 'uncounted' | 'ofPeople' | 'notPriced'>) {
  const tokens =
    totals.inputTokens + totals.outputTokens + totals.cacheReadTokens + totals.cacheCreationTokens
  const figures = [
    {
      name: 'Sessions',
      // As all pages count them. Subagents have their figures where they were started.
      value: count(totals.sessions + silent),
      note: `${totals.sessions > ofPeople ? `${count(ofPeople)} of people, ${counted(totals.sessions - ofPeople, 'other')}; ` : ''}on ${counted(activeDays, 'active day')}${silent > 0 ? `; ${count(silent)} empty, or counted for the session that started them` : ''}${uncounted > 0 ? `; without ${counted(uncounted, 'deleted transcript')}` : ''}`,
    },
    { name: 'Your messages', value: count(totals.messages.human), note: `${brief(totals.humanWords)} words` },
    { name: 'Agent messages', value: count(totals.messages.agent) },
    { name: 'Tool calls', value: brief(totals.toolCalls), note: `${brief(totals.errors)} failed` },
    {
      name: 'Tokens',
      value: brief(tokens),
      note: `${brief(totals.outputTokens)} written${totals.reasoningTokens > 0 ? ` (${brief(totals.reasoningTokens)} of it reasoning)` : ''}, ${percent(cacheShare(totals))} read from cache`,
    },
    {
      name: 'Cost at list price',
      value: costOrRecorded(totals.cost, totals.recordedCost),
      note: costNotes(totals, notPriced).join('; ') || undefined,
    },
  ]
  return <FigureList figures={figures} />
}
