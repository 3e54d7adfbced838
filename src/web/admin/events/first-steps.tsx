/** Shown while there are no events: the operator’s first steps. */
export function FirstSteps() {
  return (
    <section class="card gate">
      <h1>Create your first event</h1>
      <p class="soft">
        An event is a question that will be answered with yes or no, such as “Will it rain in Mumbai on
        Sunday?”
      </p>
      <ol>
        <li>Write the question, its rules and its closing time.</li>
        <li>
          Traders find it on the <a href="/">trading pages</a>, choose a username and trade with play money.
        </li>
        <li>When trading closes, resolve it here. You see every payout before you confirm.</li>
      </ol>
      <p>
        <a class="button button-main" href="/admin/new">
          Create your first event
        </a>
      </p>
    </section>
  )
}
