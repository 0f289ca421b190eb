import { type ComponentChildren, createContext } from 'preact'

/** Draws the conversation of a subagent. A context, because such a conversation contains the same rows again. */
export const NestedContext = createContext<(session: string) => ComponentChildren>(() => null)
