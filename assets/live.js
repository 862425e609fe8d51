(() => {
  const connection = document.querySelector('.connection');
  const tell = (words, isOpen) => {
    connection.textContent = words;
    connection.classList.toggle('is-open', isOpen);
  };
  // Without scripts the page shows what was known when it was loaded.
  connection.hidden = false;
  // The numbers in a summary change.
  const nameOf = (summary) => summary.textContent.replaceAll(/\d+/g, '');
  const events = new EventSource('events');
  events.addEventListener('open', () => tell('live', true));
  events.addEventListener('error', () => tell('no connection to petspec proxy', false));
  // The proxy escapes what it sends, as in the page itself.
  events.addEventListener('parts', ({ data }) => {
    const open = new Set([...document.querySelectorAll('details[open] > summary')].map(nameOf));
    for (const [id, markup] of Object.entries(JSON.parse(data))) {
      const part = document.getElementById(id);
      if (part) part.innerHTML = markup;
    }
    for (const summary of document.querySelectorAll('details > summary'))
      if (open.has(nameOf(summary))) summary.parentElement.open = true;
  });
  events.addEventListener('end', () => {
    events.close();
    tell('petspec proxy has ended', false);
  });
})();
