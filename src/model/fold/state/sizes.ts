/** Ids per page of a table, on average. */
export const ID_PAGE = 512
/** Usages per page of their table, on average. */
export const USAGE_PAGE = 128
/** Prompts per part of their list. */
export const PROMPT_PART = 32
/** Turns per part of their list. */
export const TURN_PART = 512
/** Agent messages per part of their list, and records that contain replies. */
export const REPLY_PART = 128
/** A table or list with no more entries than so many of its parts is in one piece: most files are short. */
export const FEW_PARTS = 4
