// Tells visitors whether the clinic is open at the moment.
const now = new Date();
const isWorkday = now.getDay() > 0 && now.getDay() < 6;
const isOpen = isWorkday && now.getHours() >= 8 && now.getHours() < 17;
document.getElementById('opening')?.append(isOpen ? ' We are open now.' : ' We are closed now.');
