import * as z from 'zod/mini'
import { FACT_KINDS } from '../../devlog/check.ts'
import { DYNAMIC_KINDS } from '../../devlog/evidence.ts'
import { STYLES } from '../../devlog/guide.ts'

const citationShape = () =>
  z.object({
    session: z.string(),
    path: z.string(),
    line: z.number(),
    at: z.nullable(z.string()),
    quote: z.string(),
    digest: z.string(),
  })

const maybeCitation = () => z.nullable(citationShape())
const sides = () => z.object({ human: z.number(), agent: z.number(), program: z.number() })

const sessionShape = () =>
  z.object({
    ...{ id: z.string(), path: z.string(), platform: z.string(), agent: z.string() },
    ...{ kind: z.nullable(z.string()), project: z.nullable(z.string()), title: z.nullable(z.string()) },
    ...{ startedAt: z.nullable(z.string()), lastActivityAt: z.nullable(z.string()) },
    ...{ main: z.boolean(), turns: z.number(), messages: sides(), words: sides() },
    ...{ toolCalls: z.number(), errors: z.number() },
  })

const phaseShape = () =>
  z.object({
    ...{ title: z.string(), from: z.string(), to: z.string() },
    ...{ sessions: z.array(z.string()), turns: z.number() },
    files: z.array(z.object({ path: z.string(), edits: z.number() })),
    ...{ changedFiles: z.number(), errors: z.number() },
    ...{ asked: citationShape(), result: maybeCitation() },
    commits: z.number(),
    hardPart: z.nullable(z.object({ why: z.string(), citations: z.array(citationShape()) })),
  })

const coverageShape = () =>
  z.object({
    sessions: z.object({ used: z.number(), fitting: z.number(), seen: z.number() }),
    items: z.object({ read: z.number(), there: z.number() }),
    duplicates: z.number(),
  })

/** The evidence as JSON. */
const evidenceShape = () =>
  z.object({
    ...{ project: z.nullable(z.string()), topic: z.nullable(z.string()) },
    span: z.nullable(z.object({ from: z.string(), to: z.string() })),
    coverage: coverageShape(),
    sessions: z.array(sessionShape()),
    totals: z.object({ turns: z.number(), words: sides(), toolCalls: z.number(), errors: z.number() }),
    languages: z.array(z.object({ language: z.string(), messages: z.number(), read: z.boolean() })),
    phases: z.array(phaseShape()),
    questions: z.array(
      z.object({ by: z.enum(['human', 'agent']), question: citationShape(), answer: maybeCitation() }),
    ),
    dynamics: z.array(
      z.object({
        ...{ kind: z.enum(DYNAMIC_KINDS), detail: z.nullable(z.string()) },
        ...{ about: maybeCitation(), citations: z.array(citationShape()) },
      }),
    ),
    files: z.array(
      z.object({
        ...{ path: z.string(), status: z.enum(['created', 'changed']), edits: z.number() },
        ...{ sessions: z.array(z.string()), asked: z.array(citationShape()) },
        askedBy: z.object({ human: z.number(), program: z.number() }),
        ...{ first: citationShape(), last: citationShape() },
      }),
    ),
    tests: z.array(
      z.object({
        outcome: z.enum(['failed', 'no-error', 'unknown']),
        ...{ run: citationShape(), error: maybeCitation() },
      }),
    ),
    errors: z.array(
      z.object({
        ...{ tool: z.nullable(z.string()), error: citationShape(), times: z.number() },
        ending: z.enum(['fixed', 'still-failing', 'not-repeated']),
        fixedBy: maybeCitation(),
      }),
    ),
    commits: z.array(z.object({ subject: z.string(), commit: citationShape() })),
    pullRequests: z.array(
      z.object({ url: z.nullable(z.string()), title: z.nullable(z.string()), mention: citationShape() }),
    ),
  })

const leakShape = () => z.object({ kind: z.string(), value: z.nullable(z.string()), times: z.number() })

const briefShape = () =>
  z.object({
    /** From 1, or 0 for the whole project. */
    ...{ part: z.number(), title: z.string(), from: z.string(), to: z.string(), tokens: z.number() },
    messages: z.object({ whole: z.number(), cut: z.number(), leftOut: z.number() }),
    /** Absent if it was written to a file. */
    text: z.optional(z.string()),
  })

const reportShape = () =>
  z.object({
    ...{ title: z.string(), words: z.number(), citations: z.number() },
    ...{ sessions: z.number(), coverage: coverageShape() },
    span: z.nullable(z.object({ from: z.string(), to: z.string() })),
    keyFiles: z.array(z.string()),
    /** With a budget: tokens, and what was left out of a draft. */
    budget: z.optional(z.object({ wanted: z.number(), used: z.number(), leftOut: z.number() })),
  })

/** What the check found in a text. */
const checkShape = () =>
  z.object({
    /** The checked file, or the command that wrote the text. */
    ...{ of: z.string(), holds: z.number(), moved: z.number(), edited: z.number(), gone: z.number() },
    citations: z.array(
      z.object({
        ...{ label: z.string(), session: z.string(), line: z.number(), digest: z.string() },
        state: z.enum(['holds', 'moved', 'edited', 'gone']),
        now: z.optional(
          z.object({ session: z.string(), path: z.string(), line: z.number(), at: z.optional(z.number()) }),
        ),
        stored: z.boolean(),
      }),
    ),
    findings: z.array(
      z.object({
        ...{ kind: z.enum(FACT_KINDS), line: z.number(), sentence: z.string(), what: z.string() },
        nearest: z.nullable(z.string()),
      }),
    ),
    sentences: z.object({ checked: z.number(), unmarked: z.number() }),
  })

/**
 * The answer of `devlog`: briefs, a draft, a written text or evidence; with `--check`, what the check found.
 */
export const output = () =>
  z.object({
    version: z.literal(1),
    style: z.enum(STYLES),
    selection: z.optional(
      z.array(
        z.object({
          ...{ id: z.string(), path: z.string(), isIn: z.boolean(), main: z.boolean(), why: z.string() },
          ...{ title: z.nullable(z.string()), startedAt: z.nullable(z.string()) },
        }),
      ),
    ),
    evidence: z.optional(evidenceShape()),
    /** The first is about the whole project. */
    briefs: z.optional(z.array(briefShape())),
    /** A draft or a written text, unless it was written to a file. */
    draft: z.optional(z.string()),
    files: z.optional(z.array(z.object({ path: z.string(), bytes: z.number() }))),
    report: z.optional(reportShape()),
    /** With `--writer`: how often it was asked. */
    asked: z.optional(z.number()),
    leaks: z.optional(z.array(leakShape())),
    /** With `--check` or `--writer`. */
    check: z.optional(checkShape()),
  })

export type DevlogAnswer = z.output<ReturnType<typeof output>>
