/**
 * Tokens that are not secrets: ids of documents, positions in a listing, and keys that make a request unique.
 */

/** Tokens of pages and batches, and of documents, folders and their parts in Feishu and Lark. */
const ofIds =
  /(?:page|next|continuation|stop|sync|cursor|doc|docx|document|node|obj|object|wiki|file|folder|parent|sheet|spreadsheet|bitable|base|table|image|media|block|space|minutes?|whiteboard|board|mindnote|slides?|shortcut|thumbnail|comment|space|drive)[_-]?$/i
/** These names can also mean a secret. The shape of the value decides. */
const perhaps = /(?:client|app|request|idempotency)[_-]?$/i
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i
/** Ids of documents have 27 letters. Older ones begin with the type of document. */
const documentId = /^(?:(?:bas|app|dox|sht|wik|box|fld|nod|tbl)[A-Za-z0-9]{21,25}|[A-Za-z0-9]{27})$/

const NAME = 24

export function namesDocument(value: string, { input, index }: RegExpExecArray): boolean {
  const before = input.slice(Math.max(0, index - NAME), index)
  return ofIds.test(before) || (perhaps.test(before) && (uuid.test(value) || documentId.test(value)))
}
