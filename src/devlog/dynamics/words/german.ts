import { type CueTable, medium, strong, weak } from './cue.ts'

export const german: CueTable = {
  intent: [
    strong(/\b(?:ich|wir) (?:will|wollen|möchten?|brauchen?|hätten? gern)\b/i),
    strong(
      /^(?:bitte |jetzt |und |dann |nun )*(?:bau|mach|füge?|erstelle?|schreibe?|ändere?|stell|prüfe?|räume?|lösche?|entferne?|behebe?|zeige?|suche?|teste?|benenne?|verschiebe?|ersetze?|übersetze?|setze?|richte?|lies|gib|hilf|finde)\b/i,
    ),
    medium(/\bbitte\b/i),
  ],
  request: [strong(/^(?:und )?(?:kannst|könntest|würdest) du\b/i)],
  proposal: [
    strong(
      /\bich (?:schlage|empfehle)\b|\bich würde (?:empfehlen|vorschlagen)\b|\bmein vorschlag\b|\bmeine empfehlung\b/i,
    ),
    strong(/\b(?:soll|sollte) ich\b|\bmöchtest du, dass ich\b/i),
    medium(/\balternativ\b|\bwir könnten\b|\beine andere möglichkeit\b/i),
  ],
  asking: [],
  agreement: [
    strong(
      /^(?:ja|genau|einverstanden|passt|perfekt|super|gerne|klar|in ordnung|gute idee|stimmt|richtig|mach das|sieht gut aus|klingt gut|leg los)\b(?! nicht)/i,
    ),
    medium(/^(?:ok(?:ay)?|gut|prima|schön|alles klar)[\s.!]*$/i),
    strong(/^(?:ok(?:ay)?|gut|prima|schön|alles klar)[\s,.!]+(?:passt|mach|dann|so)\b/i),
  ],
  disagreement: [
    strong(/^(?:nein|nö|auf keinen fall)\b/i),
    strong(/\bsehe ich anders\b|\bbin (?:ich )?dagegen\b|\bnicht einverstanden\b|\bfinde ich nicht gut\b/i),
    medium(/\bstattdessen\b|\blieber\b|\bsondern\b/i),
  ],
  correction: [
    strong(
      /\b(?:das|es) (?:ist|war) (?:falsch|nicht richtig|nicht korrekt)\b|^falsch\b|\bstimmt (?:so )?nicht\b/i,
    ),
    strong(
      /\bdu hast .{0,60}\b(?:vergessen|übersehen|verwechselt|gelöscht|falsch)\b|\bhast du (?:vergessen|übersehen)\b/i,
    ),
    strong(/\bich meinte\b|\bso (?:war das|meinte ich das) nicht\b/i),
    strong(/\b(?:immer )?noch (?:kaputt|falsch|nicht)\b|\bgeht (?:immer )?noch nicht\b/i),
  ],
  surprise: [
    strong(/\b(?:komisch|seltsam|merkwürdig|überraschend(?:erweise)?|erstaunlich|unerwartet)\b/i),
    strong(/\bals gedacht\b|\bhätte ich nicht (?:gedacht|erwartet)\b|^(?:wow|huch|nanu)\b/i),
  ],
  taste: [
    strong(
      /\bgefällt mir\b|\bich (?:mag|finde .{1,40}\b(?:schöner|besser|hässlich|schön))\b|\blese ich lieber\b/i,
    ),
    strong(/\b(?:in zukunft|ab jetzt|von nun an|künftig)\b/i),
    medium(/\b(?:hässlich|unruhig|zu voll|überladen|zu laut)\b|\bimmer\b|\bnie(?:mals)?\b/i),
    weak(/\bschöner|einfacher|ruhiger\b/i),
  ],
}
