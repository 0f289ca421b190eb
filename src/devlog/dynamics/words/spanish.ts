import { type CueTable, medium, strong } from './cue.ts'

export const spanish: CueTable = {
  intent: [
    strong(/(?<!\p{L})(?:quiero|necesito|necesitamos|queremos|me gustaría|hace falta)(?!\p{L})/iu),
    strong(
      /^(?:por favor,? |ahora |y |luego )*(?:añade|agrega|crea|haz|escribe|cambia|arregla|corrige|traduce|borra|elimina|mueve|muestra|busca|revisa|prueba|prepara|actualiza|implementa|convierte|genera|ayúdame|explica)(?!\p{L})/iu,
    ),
    medium(/(?<!\p{L})por favor(?!\p{L})/iu),
  ],
  request: [strong(/^¿?(?:y )?(?:puedes|podrías|podemos)(?!\p{L})/iu)],
  proposal: [
    strong(/(?<!\p{L})(?:propongo|sugiero|recomiendo|mi propuesta|te propongo|recomendaría)(?!\p{L})/iu),
    strong(/¿(?:quieres que|empiezo|sigo|continúo|lo hago|procedo)/iu),
    medium(/otra opción|alternativamente|podríamos/iu),
  ],
  asking: [],
  agreement: [
    strong(
      /^(?:sí|de acuerdo|vale|perfecto|claro|exacto|genial|adelante|estupendo|hazlo|me parece bien|buena idea|correcto|está bien)(?!\p{L})/iu,
    ),
  ],
  disagreement: [
    strong(
      /^no(?:[,.]|$| (?:quiero|es eso|lo|la|los|uses|pongas|borres|hagas|cambies))(?! (?:me gusta|está|funciona))/iu,
    ),
    strong(/no estoy de acuerdo|no me convence|no me parece/iu),
    medium(/(?<!\p{L})(?:mejor|en lugar de|en vez de)(?!\p{L})/iu),
  ],
  correction: [
    strong(/(?:eso|esto|está|es) (?:no es correcto|está mal|no está bien|mal|incorrecto|no es lo que)/iu),
    strong(/(?<!\p{L})(?:te olvidaste|se te olvidó|olvidaste|has olvidado|te faltó|borraste)(?!\p{L})/iu),
    strong(
      /quería decir|me refería|no es lo que (?:pedí|quería)|sigue (?:fallando|mal|roto|sin funcionar)/iu,
    ),
  ],
  surprise: [
    strong(
      /(?<!\p{L})(?:qué raro|es raro|es extraño|qué extraño|curiosamente|sorprendente(?:mente)?|inesperad[oa]|no me lo esperaba)(?!\p{L})/iu,
    ),
    strong(/^(?:vaya|anda)(?=[,! ])/iu),
  ],
  taste: [
    strong(/(?<!\p{L})(?:prefiero|no me gusta|me gusta|odio|detesto)(?!\p{L})/iu),
    strong(/a partir de ahora|de ahora en adelante|en el futuro/iu),
    medium(/(?<!\p{L})(?:siempre|nunca|feo|fea|recargad[oa])(?!\p{L})/iu),
  ],
}
