/** What is called a token but is the id of a document, a place in a listing, or a mark that makes a request unique. */

/** Of a page or of the next batch; and of documents, folders and their parts, as Feishu and Lark call them. */
const ofIds =
  /(?:page|next|continuation|stop|sync|cursor|doc|docx|document|node|obj|object|wiki|file|folder|parent|sheet|spreadsheet|bitable|base|table|image|media|block|space|minutes?|whiteboard|board|mindnote|slides?|shortcut|thumbnail|comment|space|drive)[_-]?$/i
/** Of those that name a secret elsewhere, the shape decides. */
const perhaps = /(?:client|app|request|idempotency)[_-]?$/i
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i
/** Ids of documents have 27 letters, those of older ones begin with what they are of. */
const documentId = /^(?:(?:bas|app|dox|sht|wik|box|fld|nod|tbl)[A-Za-z0-9]{21,25}|[A-Za-z0-9]{27})$/

const NAME = 24

export function namesDocument(value: string, { input, index }: RegExpExecArray): boolean {
  const before = input.slice(Math.max(0, index - NAME), index)
  return ofIds.test(before) || (perhaps.test(before) && (uuid.test(value) || documentId.test(value)))
}
