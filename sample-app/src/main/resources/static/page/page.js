import {html, render, useEffect, useRef, useState} from './vendor/htm-preact-standalone.js';

const post = async (what, body) => {
  const response = await fetch(`page/${what}`, {
    method: 'POST',
    headers: {'Content-Type': 'application/json'},
    body: JSON.stringify(body),
  });
  if (!response.ok) {
    const problem = await response.json().catch(() => ({}));
    throw new Error(problem.detail || `The server answered ${response.status}.`);
  }
};

const seconds = millis => `${(millis / 1000).toFixed(1)} s`;
const count = (number, one, many) => `${number} ${number === 1 ? one : many}`;

/** The newest state of the server, and whether it is heard at all. */
const useStates = () => {
  const [state, setState] = useState(null);
  const [connected, setConnected] = useState(false);
  useEffect(() => {
    let events;
    let timer;
    const open = () => {
      events = new EventSource('page/events');
      events.onmessage = event => {
        setState(JSON.parse(event.data));
        setConnected(true);
      };
      events.onerror = () => {
        setConnected(false);
        // After an answer that is an error, such as that of too many pages, the browser does not try again by itself.
        if (events.readyState === EventSource.CLOSED) {
          timer = setTimeout(open, 3000);
        }
      };
    };
    open();
    return () => {
      clearTimeout(timer);
      events.close();
    };
  }, []);
  return [state, connected];
};

/** What happened, for screen readers: new sentences only, and not more often than they can be read out. */
const Announcer = ({news}) => {
  const [text, setText] = useState('');
  const told = useRef(null);
  const waiting = useRef([]);
  const timer = useRef(null);
  useEffect(() => {
    if (told.current === null) {
      told.current = news.length ? news[0].id : 0;
      return;
    }
    const fresh = news.filter(item => item.id > told.current).reverse();
    if (!fresh.length) {
      return;
    }
    told.current = news[0].id;
    waiting.current = [...waiting.current, ...fresh.map(item => item.text)].slice(-3);
    if (timer.current === null) {
      const next = () => {
        if (!waiting.current.length) {
          timer.current = null;
          return;
        }
        setText(waiting.current.join(' '));
        waiting.current = [];
        timer.current = setTimeout(next, 3000);
      };
      timer.current = setTimeout(next, 300);
    }
  }, [news]);
  return html`<div class="hidden" role="status" aria-live="polite">${text}</div>`;
};

/** Stays in the tab order while it cannot be used, so that the focus is not lost. */
const Button = ({can, onClick, children, ...rest}) => html`
  <button type="button" aria-disabled=${can ? 'false' : 'true'} onClick=${() => can && onClick()} ...${rest}>
    ${children}
  </button>`;

const Ticket = ({instance, number}) => html`
  <span class="ticket ${instance || 'other'}">
    <span class="hidden">${instance ? `Instance ${instance}, ticket ` : 'Another process, ticket '}</span>
    <span aria-hidden="true">${instance || '?'} </span>${number}
  </span>`;

const Rush = ({rush, act}) => {
  const [orders, setOrders] = useState('100');
  const running = Boolean(rush && rush.running);
  const valid = /^\d+$/.test(orders) && Number(orders) >= 1 && Number(orders) <= 200;
  const start = lock => act('rush', {orders: Number(orders), lock});
  const done = rush ? rush.arrived + rush.failed : 0;
  return html`
    <section aria-labelledby="rush">
      <h2 id="rush">Start a rush</h2>
      <p class="soft">Orders of one customer, all at once, half of them at each instance. Each reads the customer, adds, and
        writes it back.</p>
      <form onSubmit=${event => event.preventDefault()}>
        <label for="orders">Orders (1 to 200)</label>
        <input id="orders" inputmode="numeric" value=${orders} aria-invalid=${valid ? 'false' : 'true'}
               onInput=${event => setOrders(event.target.value.trim())} />
        <div class="rushes">
          <${Button} id="with-lock" can=${!running && valid} onClick=${() => start(true)}>Rush with the lock<//>
          <${Button} id="without-lock" can=${!running && valid} onClick=${() => start(false)}>Rush without a lock<//>
        </div>
      </form>
      <p id="progress">${rush
        ? `${rush.running ? 'Under way' : 'Over'}: ${done} of ${rush.orders} orders ${rush.lock ? 'with' : 'without'} the lock.`
        : 'No rush yet.'}</p>
    </section>`;
};

const doing = instance => {
  if (instance.frozen) {
    return 'Stands still: no heartbeat leaves it.';
  }
  const hold = {NONE: '', WAITS: 'Waits for the lock. ', HOLDS: 'Holds the lock. '};
  return hold[instance.hold] + count(instance.waiting, 'caller waits.', 'callers wait.');
};

const Card = ({instance, act}) => {
  const {name, hold, frozen, lost} = instance;
  const holds = hold === 'HOLDS' && !frozen;
  const does = what => () => act(what, {instance: name});
  return html`
    <article class="card ${name}" aria-labelledby="name-${name}" id="instance-${name}">
      <h3 id="name-${name}"><span class="ticket ${name}" aria-hidden="true">${name}</span> Instance ${name}</h3>
      <p class="doing">${doing(instance)}</p>
      <p class="soft losses">Locks lost: ${lost}</p>
      <div class="buttons" role="group" aria-label="Instance ${name}">
        <${Button} id="hold-${name}" can=${hold === 'NONE'} onClick=${does('hold')}>Hold<//>
        <${Button} id="release-${name}" can=${hold !== 'NONE' && !frozen} onClick=${does('release')}>Release<//>
        <${Button} id="freeze-${name}" can=${holds} onClick=${does('freeze')}>Freeze<//>
        <${Button} id="lose-${name}" can=${holds} onClick=${does('lose')}>Lose<//>
      </div>
    </article>`;
};

/** What the buttons of an instance do. */
const Meanings = () => html`
  <dl class="soft" id="meanings">
    <div><dt>Hold</dt>${' '}<dd>takes the lock and keeps it until you release it.</dd></div>
    <div><dt>Freeze</dt>${' '}<dd>stops its calls to DynamoDB, as a long garbage collection does, until the other instance
      has written. Then it wakes, and writes with its old ticket.</dd></div>
    <div><dt>Lose</dt>${' '}<dd>takes the lock away from the instance, which is told.</dd></div>
  </dl>`;

const waiters = line => line.flatMap(group => {
  const tickets = [];
  for (let number = group.first; number <= group.last && tickets.length < 200; number++) {
    tickets.push({instance: group.instance, number});
  }
  return tickets;
});

const Queue = ({holder, line}) => {
  const waiting = waiters(line);
  return html`
    <section class="wide" aria-labelledby="queue">
      <h2 id="queue">The queue, as the table shows it</h2>
      <div class="turn" id="holder">
        <span>Has the lock:</span>
        ${holder ? html`<${Ticket} ...${holder} />` : html`<span class="soft">nobody</span>`}
      </div>
      <p>${count(waiting.length, 'caller waits', 'callers wait')}${waiting.length ? ', the next one first:' : '.'}</p>
      <div class="line" tabindex="0" role="group" aria-label="Callers that wait">
        <ol class="tickets" id="waiting">
          ${waiting.map(ticket => html`<li key=${ticket.number}><${Ticket} ...${ticket} /></li>`)}
        </ol>
      </div>
    </section>`;
};

const Served = ({rush, served}) => html`
  <section class="wide served" aria-labelledby="served-title">
    <h2 id="served-title">Served by the last rush, in this order</h2>
    ${rush && !rush.lock
      ? html`<p>Without a lock there are no tickets, and no order.</p>`
      : html`
        <p id="order">${served.length} served,${' '}
          <span class=${rush && rush.outOfOrder ? 'bad' : 'good'}>${rush ? rush.outOfOrder : 0} out of order</span>.</p>
        <ol class="tickets" id="served">
          ${served.map(ticket => html`
            <li key=${ticket.number} title="waited ${seconds(ticket.waitedMillis)}"><${Ticket} ...${ticket} /></li>`)}
        </ol>`}
  </section>`;

const Results = ({results}) => {
  const of = lock => results.find(result => result.lock === lock);
  const row = (name, value) => html`
    <tr><th scope="row">${name}</th>${[true, false].map(lock => {
      const result = of(lock);
      return html`<td>${result ? value(result) : 'not yet'}</td>`;
    })}</tr>`;
  const verdict = lost => html`<span class=${lost ? 'bad' : 'good'}>${lost ? `${lost} lost` : 'none lost'}</span>`;
  return html`
    <section aria-labelledby="results-title">
      <h2 id="results-title">With and without</h2>
      <table id="results">
        <caption>The last rush of each kind</caption>
        <thead><tr><td></td><th scope="col">with the lock</th><th scope="col">without a lock</th></tr></thead>
        <tbody>
          ${row('Orders accepted', result => result.arrived)}
          ${row('Orders lost', result => verdict(result.lost))}
          ${row('Failed', result => result.failed)}
          ${row('Out of order', result => result.lock ? result.outOfOrder : 'there is no order')}
          ${row('Waited, median', result => result.lock ? seconds(result.medianMillis) : 'not at all')}
          ${row('Waited, longest', result => result.lock ? seconds(result.maxMillis) : 'not at all')}
          ${row('All took', result => seconds(result.tookMillis))}
        </tbody>
      </table>
    </section>`;
};

const marks = {PLAIN: '', GOOD: 'Good: ', BAD: 'Bad: '};

const News = ({news}) => html`
  <section aria-labelledby="news-title">
    <h2 id="news-title">What happened</h2>
    ${news.length ? '' : html`<p class="soft">Nothing yet.</p>`}
    <ol class="news" id="news">
      ${news.map(item => html`
        <li key=${item.id} class=${item.kind.toLowerCase()}>${marks[item.kind]}${item.text}</li>`)}
    </ol>
  </section>`;

const Page = () => {
  const [state, connected] = useStates();
  const [problem, setProblem] = useState('');
  const act = (what, body) => post(what, body).then(() => setProblem(''), failure => setProblem(failure.message));
  return html`
    <header>
      <h1>DynamoLock: a queue to look at</h1>
      <p>A and B are two instances of the order service. Both run in this process, each with a lock registry and a session of
        its own, as two processes would. They share one lock in one DynamoDB table.
        ${state && ` An instance that is silent for ${seconds(state.leaseMillis)}, its lease, is taken for dead.`}</p>
      <p id="connection" class="soft">${connected ? 'Live.' : 'No connection to the server. Trying again.'}</p>
    </header>
    ${state && html`
      <main>
        <${Rush} rush=${state.rush} act=${act} />
        <section aria-labelledby="instances">
          <h2 id="instances">Have an instance do something</h2>
          <div class="cards">
            ${state.instances.map(instance => html`<${Card} key=${instance.name} instance=${instance} act=${act} />`)}
          </div>
          <${Meanings} />
        </section>
        <${Queue} holder=${state.holder} line=${state.line} />
        <${Results} results=${state.results} />
        <${News} news=${state.news} />
        <${Served} rush=${state.rush} served=${state.served} />
        <p class="problem wide" id="problem" role="alert">${problem}</p>
      </main>
      <${Announcer} news=${state.news} />`}`;
};

render(html`<${Page} />`, document.getElementById('app'));
