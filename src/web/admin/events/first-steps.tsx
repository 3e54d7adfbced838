/** A new exchange says to its operator what comes first. */
export function FirstSteps() {
  return (
    <section class="card gate">
      <h1>This exchange is new. Create your first event.</h1>
      <p class="soft">
        An event is a question that will be answered with yes or no, such as “Will it rain in Mumbai on
        Sunday?”
      </p>
      <ol>
        <li>Write the question, its rules and when it ends.</li>
        <li>
          Traders find it at <a href="/">the trading pages</a>, pick a name, and trade with play money.
        </li>
        <li>When it is over, say here how it came out. You see every payout before you do.</li>
      </ol>
      <p>
        <a class="button button-main" href="/admin/new">
          Create your first event
        </a>
      </p>
    </section>
  )
}
