import { useEffect, useState } from 'preact/hooks'
import { ask } from '../../api/ask.ts'
import { getFile } from '../../api/client.ts'
import type { ImageOf } from '../../api/shapes.ts'
import { Icon } from '../../parts/icon.tsx'
import { bytes } from '../../text/figures.ts'
import type { Conversation } from './conversation.ts'

interface ImagesProperties {
  conversation: Conversation
  line: number
  names: readonly string[]
}

/** Images of a message. They are fetched when the person asks for them. */
export function Images({ conversation, line, names }: ImagesProperties) {
  const [images, setImages] = useState<readonly ImageOf[] | string>()
  const show = () => {
    conversation.record(line).then(
      (record) => setImages(record.images),
      (error: unknown) => setImages(error instanceof Error ? error.message : String(error)),
    )
  }
  if (images === undefined || typeof images === 'string')
    return (
      <p class="media">
        <button type="button" class="chip" onClick={show}>
          <Icon name="image" />
          <span dir="auto">{names.join(', ')}</span>
        </button>
        {images && <span class="error-words">{images}</span>}
      </p>
    )
  if (images.length === 0) return <p class="media note">{`Not stored in the record: ${names.join(', ')}`}</p>
  return (
    <div class="pictures">
      {images.map((image) => (
        <Picture key={image.index} conversation={conversation} image={image} />
      ))}
    </div>
  )
}

interface PictureProperties {
  conversation: Conversation
  image: ImageOf
}

export function Picture({ conversation, image }: PictureProperties) {
  const [address, setAddress] = useState<string>()
  const [failure, setFailure] = useState<string>()
  useEffect(() => {
    let made: string | undefined
    let isGone = false
    getFile(ask('image', { session: conversation.session, line: image.line, index: image.index })).then(
      ({ file }) => {
        if (isGone) return
        made = URL.createObjectURL(file)
        setAddress(made)
      },
      (error: unknown) => setFailure(error instanceof Error ? error.message : String(error)),
    )
    return () => {
      isGone = true
      if (made) URL.revokeObjectURL(made)
    }
  }, [conversation, image.line, image.index])
  const what = `Image, ${image.type}, ${bytes(image.bytes)}`
  if (failure) return <p class="error-words">{failure}</p>
  return address ? <img src={address} alt={what} /> : <span class="picture-waiting">{what}</span>
}
