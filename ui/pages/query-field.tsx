import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { Button, Icon } from '../parts/controls.tsx'
import { Menu } from '../parts/menu.tsx'
import { toast } from '../parts/notice.tsx'
import { query } from '../state/router.ts'
import { removeSearch, saveSearch, searches } from '../state/searches.ts'
import { MOST_LETTERS } from './query-filters.ts'

interface FieldProperties {
  field: RefObject<HTMLInputElement | null>
  label: string
  placeholder: string
  value: string
  onInput(text: string): void
  /** What Enter does, and the arrow down. */
  onEnter?(): void
  onDown?(): void
}

/** The one field of a list or a search: words and filters, which the facets below it fill. */
export function QueryField(properties: FieldProperties) {
  const { field, label, placeholder, value, onInput, onEnter, onDown } = properties
  return (
    <div class="search-field">
      <Icon name="search" />
      <input
        ref={field}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        spellcheck={false}
        autocomplete="off"
        maxLength={MOST_LETTERS}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.isComposing) return
          const does = {
            Enter: onEnter,
            ArrowDown: onDown,
            // The browser clears words that are not asked for yet.
            Escape: value.trim() === query('q').trim() ? () => field.current?.blur() : undefined,
          }[event.key]
          if (!does) return
          event.preventDefault()
          does()
        }}
      />
    </div>
  )
}

/** What was saved, and the current search to save. `isEmpty`: there is nothing to save. */
export function SavedSearches({ isEmpty, suggested }: { isEmpty: boolean; suggested: string }) {
  return (
    <Menu label="Saved" icon="star" side="end">
      {(close) => (
        <>
          {searches.value.length > 0 && (
            <ul class="saved">
              {searches.value.map(({ name, address }) => (
                <li key={name}>
                  <a href={address} onClick={close} dir="auto">
                    {name}
                  </a>
                  <Button label={`Forget ${name}`} icon="close" bare onClick={() => removeSearch(name)} />
                </li>
              ))}
            </ul>
          )}
          {isEmpty ? (
            <p class="note">Choose filters or type words, and you can save them here, in this browser.</p>
          ) : (
            <SaveForm suggested={suggested} onSaved={close} />
          )}
        </>
      )}
    </Menu>
  )
}

function SaveForm({ suggested, onSaved }: { suggested: string; onSaved(): void }) {
  const name = useSignal(suggested)
  const save = (event: SubmitEvent) => {
    event.preventDefault()
    if (name.value.trim() === '') return
    const { pathname, search } = window.location
    saveSearch({ name: name.value.trim(), address: pathname + search })
    toast(`Saved as ${name.value.trim()}`)
    onSaved()
  }
  return (
    <form class="save-form" onSubmit={save}>
      <label class="field">
        <span>Name of this search</span>
        <input
          type="text"
          value={name.value}
          maxLength={80}
          onInput={(event) => {
            name.value = event.currentTarget.value
          }}
        />
      </label>
      <button type="submit" class="button strong">
        <span>Save</span>
      </button>
    </form>
  )
}
