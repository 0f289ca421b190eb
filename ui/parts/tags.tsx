import { useSignal } from '@preact/signals'
import type { SessionRow } from '../api/shapes.ts'
import { addTag, marksAvailable, marksOf, removeTag, rename } from '../state/marks.ts'

/** The tags and the own name of a session, with fields to change them. */
export function MarkEditor({ row }: { row: SessionRow }) {
  const word = useSignal('')
  if (!marksAvailable.value) return null
  const { tags = [], name } = marksOf(row)
  const add = (event: SubmitEvent) => {
    event.preventDefault()
    const tag = word.value.trim()
    word.value = ''
    if (tag !== '') void addTag(row, tag)
  }
  return (
    <div class="marks">
      <label class="field">
        <span>Your name for it</span>
        <input
          type="text"
          value={name}
          placeholder={row.title ?? ''}
          onChange={(event) => void rename(row, event.currentTarget.value.trim())}
        />
      </label>
      <form class="field" onSubmit={add}>
        <label for="new-tag">Tags</label>
        <span class="tag-list">
          {tags.map((tag) => (
            <button
              key={tag}
              type="button"
              class="chip"
              aria-label={`Remove the tag ${tag}`}
              onClick={() => void removeTag(row, tag)}
            >
              <span dir="auto">{tag}</span>
              <span aria-hidden="true">×</span>
            </button>
          ))}
          <input
            id="new-tag"
            type="text"
            placeholder="Add a tag"
            value={word.value}
            onInput={(event) => {
              word.value = event.currentTarget.value
            }}
          />
        </span>
      </form>
    </div>
  )
}
