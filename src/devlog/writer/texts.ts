import type { Draft } from '../draft/document.ts'
import { evidenceDraft } from '../draft/evidence-draft.ts'
import { createFootnotes, type Footnotes } from '../draft/footnotes.ts'
import { bodyMarkdown, footnoteLines } from '../draft/markdown.ts'
import { type VoiceName, voices } from '../draft/voice.ts'
import type { Evidence } from '../evidence/evidence.ts'
import { type Material, materialOf } from '../facts/material.ts'
import type { SourceSession } from '../source.ts'
import { messageBlocks } from './messages.ts'

/** What a story is written from. */
export interface Subject {
  evidence: Evidence
  /** The whole draft. */
  draft: Draft
  sources: readonly SourceSession[]
  voice: VoiceName
  /** Removes from a text of a transcript what must not be shown. */
  clean?(text: string): string
}

/**
 * The material of a writer as Markdown, with common footnotes, and what texts about it are checked against.
 */
export interface Texts {
  draft: string
  evidence: string
  messages: string
  notes: Footnotes
  material: Material
}

/** Numbers the footnotes of the draft first, so that they are those of the draft without a writer. */
export function textsOf({ evidence, draft, sources, voice, clean }: Subject): Texts {
  const notes = createFootnotes()
  const texts = {
    draft: bodyMarkdown(draft, notes),
    evidence: bodyMarkdown(evidenceDraft(evidence), notes),
    messages: bodyMarkdown(
      { title: 'Messages', blocks: messageBlocks(sources, voices[voice], { clean }) },
      notes,
    ),
  }
  const material = materialOf(sources, {
    ...{ evidence, sides: voices[voice], footnotes: notes.all(), clean },
    draft: `${texts.draft}\n\n${footnoteLines(notes).join('\n')}`,
  })
  return { ...texts, notes, material }
}
