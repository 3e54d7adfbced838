/** Explains prices and payouts to a first-time visitor. */
export function Intro() {
  return (
    <section class="intro" aria-label="How it works">
      <div>
        <h1>Trade on what happens next, with play money.</h1>
      </div>
      <ol class="intro-steps">
        <li>
          <b>Price = probability.</b> YES at ₹6.20 out of ₹10 means a 62% chance.
        </li>
        <li>
          <b>Buy YES or NO.</b> YES + NO = ₹10.
        </li>
        <li>
          <b>Right?</b> Each contract pays ₹10. <b>Wrong?</b> ₹0. Sell any time before it closes.
        </li>
      </ol>
    </section>
  )
}

/** Shown while the exchange has no markets: how to create the first one. */
export function Welcome() {
  return (
    <section class="card welcome">
      <h1>No markets yet</h1>
      <ol>
        <li>
          Create the first event at <a href="/admin">/admin</a> or with <code>POST /events/create</code>.
        </li>
        <li>
          Want to look around first? <code>npm start -- --demo</code> runs a demo with live markets, in a data
          directory of its own.
        </li>
        <li>Then choose a username above and trade. It is all play money.</li>
      </ol>
      <p class="soft">Reload this page to see the first market.</p>
    </section>
  )
}
