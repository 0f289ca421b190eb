/** The record is in the file, and its value is its parent. */
export const LINKED = 1
/** The record was folded. Another one with its id is a duplicate. */
export const SEEN = 2
/** A turn begins with the record. */
export const TURN = 4
/** The record is on the active branch. */
export const ACTIVE = 8
/** Another record names this one as its parent, and it is not in the file yet. */
export const AWAITED = 16
/** The record was read since the state was loaded. Not stored. */
export const FRESH = 32

/** A mask for the flags that are stored. */
export const STORED = ~FRESH
