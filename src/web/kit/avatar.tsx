import { firstLetter, nameHue } from './name-hue.js'

/** A picture of a user made of their name: nothing has to be uploaded. */
export function Avatar({ name }: { readonly name: string }) {
  return (
    <span class="avatar" style={{ '--hue': String(nameHue(name)) }} aria-hidden="true">
      {firstLetter(name)}
    </span>
  )
}
