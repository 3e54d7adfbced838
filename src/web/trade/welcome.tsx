/** What this is, for who comes here first. */
export function Intro() {
  return (
    <section class="intro" aria-label="How it works">
      <div>
        <h1>What will happen? Put your play money where your opinion is.</h1>
      </div>
      <ol class="intro-steps">
        <li>
          <b>A price is a chance.</b> YES at ₹6.20 of ₹10 says: 62% likely.
        </li>
        <li>
          <b>Buy YES or NO.</b> YES and NO together cost what one of them pays.
        </li>
        <li>
          <b>Right pays in full.</b> Wrong pays nothing. Or sell before it ends.
        </li>
      </ol>
    </section>
  )
}

/** An exchange without markets says what to do next. */
export function Welcome() {
  return (
    <section class="card welcome">
      <h1>This exchange is new: there are no markets yet.</h1>
      <ol>
        <li>
          Create the first event at <a href="/admin">/admin</a>, or with <code>POST /events/create</code>.
        </li>
        <li>
          Or look around first: <code>npm start -- --demo</code> runs a demo with markets that move, in a data
          directory of its own.
        </li>
        <li>Then pick a name above and trade. It is play money: nobody can win or lose a rupee.</li>
      </ol>
      <p class="soft">This page shows the first market as soon as you load it again.</p>
    </section>
  )
}
