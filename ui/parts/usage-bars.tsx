import type { StatsAnswer } from '../api/shapes.ts'
import { brief, counted } from '../text/figures.ts'
import { shortPath } from '../text/names.ts'
import { BarList } from './bar-list.tsx'

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
