/** A name, linked to the profile of its user. */
export function PeopleLink({ name }: { readonly name: string }) {
  return (
    <a class="people-name" href={`/people/${encodeURIComponent(name)}`} dir="auto">
      {name}
    </a>
  )
}
