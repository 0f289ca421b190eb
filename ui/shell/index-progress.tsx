import { indexing } from '../state/events.ts'
import { count } from '../text/figures.ts'

/** How far the index has come, while one is running. */
export function IndexProgress() {
  const progress = indexing.value
  if (!progress) return null
  const { files, bytes } = progress
  // Files differ in size by orders of magnitude, so bytes tell better how long it takes.
  const part = bytes.all > 0 ? bytes.done / bytes.all : files.done / (files.all || 1)
  const words = `Indexing: ${count(files.done)} of ${count(files.all)} files`
  return (
    <div class="indexing">
      <p>{words}</p>
      <progress aria-label="Indexing" value={Math.min(1, part)} max={1} />
    </div>
  )
}
