import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Conversation } from './conversation.ts'

/** The conversation that a row belongs to. Nested subagents have their own. */
export const ConversationContext = createContext<Conversation | undefined>(undefined)

export const useConversation = (): Conversation => useContext(ConversationContext)!
