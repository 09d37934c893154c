// The page is whole without it.

// Loads the page of a run that goes on anew, until it should have been replaced long ago.
(function () {
  var every = +document.body.dataset.every, until = +document.body.dataset.until;
  if (!every) return;
  if (Date.now() < 1000 * until) {
    setTimeout(function () { location.reload(); }, 1000 * every);
  } else {
    document.querySelectorAll(".stale").forEach(function (note) { note.hidden = false; });
  }
})();

// Values under the pointer.
(function () {
  var tip = document.createElement("div");
  tip.className = "tip";
  document.body.appendChild(tip);
  function row(text, ink) {
    var line = tip.appendChild(document.createElement(ink ? "div" : "b"));
    if (ink) {
      var mark = line.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "svg"));
      mark.setAttribute("class", "swatch");
      mark.setAttribute("viewBox", "0 0 10 10");
      mark.innerHTML = '<circle cx="5" cy="5" r="5" class="f-' + ink + '"/>';
    }
    line.appendChild(document.createTextNode(text));
  }
  document.querySelectorAll("svg[data-places]").forEach(function (svg) {
    var curves = JSON.parse(svg.dataset.places);
    var height = svg.viewBox.baseVal.height, width = svg.viewBox.baseVal.width;
    var cross = document.createElementNS("http://www.w3.org/2000/svg", "path");
    cross.setAttribute("class", "l s-axis");
    function leave() { tip.style.display = "none"; cross.remove(); }
    svg.addEventListener("pointerleave", leave);
    svg.addEventListener("pointermove", function (event) {
      var box = svg.getBoundingClientRect(), x = (event.clientX - box.left) * width / box.width;
      var closer = function (a, b) { return Math.abs(b[0] - x) >= Math.abs(a[0] - x) ? a : b; };
      var near = curves.map(function (curve) { return curve.values.reduce(closer); });
      var nearest = near.reduce(closer);
      tip.textContent = "";
      row(nearest[2]);
      curves.forEach(function (curve, number) {
        var value = near[number];
        if (Math.abs(value[0] - nearest[0]) * 12 >= width) return;
        var name = curve.name ? curve.name + " " : "";
        row(name + value[3] + (value[2] === nearest[2] ? "" : " (" + value[2] + ")"), curve.ink);
      });
      cross.setAttribute("d", "M" + nearest[0] + " 0V" + height);
      svg.insertBefore(cross, svg.firstChild);
      tip.style.display = "block";
      var left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8);
      var top = event.clientY + 18 + tip.offsetHeight > innerHeight ? event.clientY - tip.offsetHeight - 12 : event.clientY + 18;
      tip.style.left = Math.max(8, left) + "px";
      tip.style.top = top + "px";
    });
  });
})();
