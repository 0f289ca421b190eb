import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { ask } from '../api/ask.ts'
import type { SessionRow } from '../api/shapes.ts'
import { useAnswer } from '../api/use-answer.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { navigate } from '../state/router.ts'
import { loadTags, tags } from '../state/tags.ts'
import { type Choice, choicesFor } from './choices.ts'
import { helpOpen, paletteOpen } from './palette-state.ts'

const DEBOUNCE_MS = 120

function useSlow(text: string): string {
  const [slow, setSlow] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(text), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return slow
}

/** The newest sessions, and those whose title has the words, however old they are. */
function useSessions(words: string): SessionRow[] {
  const newest = useAnswer(ask('listing', { all: true, limit: 60 })).answer
  const named = useAnswer(words === '' ? undefined : ask('listing', { all: true, title: words, limit: 8 }), {
    keep: true,
  }).answer
  return useMemo(() => {
    const rows = [...(newest?.sessions ?? []), ...(named?.sessions ?? [])]
    return [...new Map(rows.map((row) => [row.path, row])).values()]
  }, [newest, named])
}

/** Reaches everything: what the page does, pages, tags, jobs, projects, sessions, memory, and messages that match. */
export function Palette() {
  const words = useSignal('')
  const chosen = useSignal(0)
  const list = useRef<HTMLUListElement>(null)
  const slow = useSlow(words.value.trim())
  const sessions = useSessions(slow)
  const projects = useAnswer(ask('projects'))
  const jobs = useAnswer(ask('cron'))
  const memory = useAnswer(ask('memory'))
  useEffect(() => {
    void loadTags().catch(() => {})
  }, [])
  const found = useAnswer(slow.length > 1 ? ask('search', { query: [slow], limit: 6 }) : undefined, {
    keep: true,
  })
  const choices = useMemo(
    () =>
      choicesFor(words.value.trim(), {
        sessions,
        projects: projects.answer?.projects ?? [],
        tags: tags.value ?? [],
        jobs: jobs.answer?.jobs ?? [],
        documents: memory.answer?.documents ?? [],
        showKeys: () => {
          helpOpen.value = true
        },
        hits: slow.length > 1 ? (found.answer?.hits ?? []) : [],
      }),
    [words.value, sessions, projects.answer, tags.value, jobs.answer, memory.answer, found.answer, slow],
  )
  const at = Math.min(chosen.value, choices.length - 1)

  const close = () => {
    paletteOpen.value = false
  }
  const open = (choice: Choice | undefined) => {
    if (!choice) return
    close()
    if (choice.address !== undefined) navigate(choice.address)
    choice.run?.()
  }
  const move = (step: number) => {
    chosen.value = (at + step + choices.length) % (choices.length || 1)
    list.current?.children[chosen.value]?.scrollIntoView({ block: 'nearest' })
  }
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if (event.key === 'Enter') open(choices[at])
    else return
    event.preventDefault()
  }

  return (
    <Dialog label="Go to" class="palette" onClose={close}>
      <div class="palette-field">
        <Icon name="search" />
        <input
          autoFocus
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={choices[at] && `choice-${at}`}
          aria-label="Page, project, session, tag, job, memory or words"
          placeholder="Page, project, session, tag, job, memory or words"
          spellcheck={false}
          autocomplete="off"
          value={words.value}
          onInput={(event) => {
            words.value = event.currentTarget.value
            chosen.value = 0
          }}
          onKeyDown={pressed}
        />
      </div>
      <ul ref={list} id="palette-list" role="listbox" aria-label="Matches">
        {choices.map((choice, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys.
          // biome-ignore lint/a11y/useFocusableInteractive: the field above holds the focus.
          <li
            key={choice.key}
            id={`choice-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => open(choice)}
            onMouseMove={() => {
              chosen.value = index
            }}
          >
            <Icon name={choice.icon} />
            <span class="choice-title" dir="auto">
              {choice.title}
            </span>
            <span class="choice-more" dir="auto">
              {choice.more}
            </span>
          </li>
        ))}
      </ul>
      {choices.length === 0 && <p class="palette-none">Nothing matches. Press Esc to close.</p>}
    </Dialog>
  )
}
